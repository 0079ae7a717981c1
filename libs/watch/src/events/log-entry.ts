import {
  PURCHASE_OUTCOMES,
  TEXT_LIMITS,
  type WatchedState,
  type WatchEventType,
  type WatchLifecycleType,
} from '@touchstone/contract';
import { z } from 'zod';

interface Entry {
  /** Position in the log of the watch, from 1. */
  readonly sequence: number;
  /** Time in milliseconds since the epoch. */
  readonly at: number;
  /** Stored details of the entry. The details contain unverified text of providers. */
  readonly data: unknown;
}

/** Log entry on a change of the watched endpoint. */
export interface AlertEntry extends Entry {
  readonly kind: 'alert';
  readonly type: WatchEventType;
}

/** Log entry on the watch itself. */
export interface LifecycleEntry extends Entry {
  readonly kind: 'lifecycle';
  readonly type: WatchLifecycleType;
}

/** Stored entry of the log of a watch. */
export interface LogEntry extends Entry {
  readonly kind: 'alert' | 'lifecycle';
  readonly type: WatchEventType | WatchLifecycleType;
}

/** Creates a schema that reads an unreadable value as null, so that one value cannot make a whole log unreadable. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null);
}

const requiredInstant = z
  .union([z.number(), z.string()])
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()))
  .transform((date) => date.toISOString())
  // A year beyond 9999 has a sign and six digits, which is not the format of the interface.
  .refine((text) => /^[0-9]/.test(text));
const instant = orNull(requiredInstant);

const anyText = z.string().catch('');

const storedOption = z.object({
  scheme: anyText,
  network: anyText,
  asset: anyText,
  assetSymbol: orNull(z.string()),
  decimals: orNull(z.int().min(0).max(77)),
  amount: orNull(z.string().regex(/^[0-9]{1,78}$/)),
  amountUsd: orNull(z.string().regex(/^[0-9]{1,80}\.[0-9]{6}$/)),
  payTo: anyText,
});

const storedTerms = z.object({
  version: orNull(z.union([z.literal(1), z.literal(2)])),
  options: z.array(storedOption),
});

/** Schemas of the stored states before and after a change, by the member that each state has. */
const STORED_STATES = {
  compliance: z.object({ compliance: z.enum(['pass', 'warnings', 'errors', 'unpayable']) }),
  liveness: z
    .object({
      liveness: z.enum(['up', 'down']),
      downSince: instant,
      missedProbes: orNull(z.int().min(0)),
      outcome: orNull(
        z
          .string()
          .max(64)
          .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      ),
      httpStatus: z.int().min(100).max(999).nullable().optional().catch(undefined),
    })
    .transform(({ liveness, downSince, missedProbes, outcome, httpStatus }) => ({
      liveness,
      // Only the state `down` has details of the outage.
      ...(liveness === 'down' && {
        ...(downSince !== null && { down_since: downSince }),
        ...(missedProbes !== null && { missed_probes: missedProbes }),
        ...(outcome !== null && { outcome }),
        ...(httpStatus !== undefined && { http_status: httpStatus }),
      }),
    })),
};

/** Details before and after a change; a side that is missing or unreadable is null. */
interface Sides<T> {
  readonly before: T | null;
  readonly after: T | null;
  /** True if the payTo began to vary with the change. */
  readonly varies?: true | undefined;
}

function readSides<T>(side: z.ZodType<T>, data: unknown): Sides<T> {
  const nullable = orNull(side);
  const varies = z.literal(true).optional().catch(undefined);
  const parsed = z.object({ before: nullable, after: nullable, varies }).safeParse(data);
  return parsed.data ?? { before: null, after: null };
}

/** Reads the payment terms before and after a change. */
export function readTerms(data: unknown): Sides<StoredTerms> {
  return readSides(storedTerms, data);
}

/**
 * Reads the states before and after a change.
 *
 * @param member member that both states have
 */
export function readStates(member: keyof typeof STORED_STATES, data: unknown): Sides<WatchedState> {
  return readSides<WatchedState>(STORED_STATES[member], data);
}

const period = orNull(z.object({ expiresAt: instant }));

const storedPurchase = z.object({
  purchasedAt: requiredInstant,
  outcome: z.enum(PURCHASE_OUTCOMES),
  publishAt: requiredInstant,
  transaction: orNull(z.string().max(TEXT_LIMITS.name)),
});

const storedLifecycle = z.object({
  expiresAt: instant,
  before: period,
  after: period,
  changed: z.array(z.enum(['events', 'liveness_sensitivity_n', 'delivery'])).catch([]),
  channel: orNull(z.enum(['webhook', 'slack', 'discord'])),
  label: orNull(z.string()),
  reason: orNull(z.enum(['gone', 'failing', 'refused'])),
  purchase: orNull(storedPurchase),
});

export type StoredOption = z.infer<typeof storedOption>;
export type StoredTerms = z.infer<typeof storedTerms>;

/** Reads the details of an event on the watch itself. Details that are not an object count as an empty object. */
export function readLifecycle(data: unknown): z.infer<typeof storedLifecycle> {
  return storedLifecycle.safeParse(data).data ?? storedLifecycle.parse({});
}
