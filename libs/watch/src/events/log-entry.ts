import type { WatchEventType, WatchLifecycleType } from '@touchstone/contract';
import { z } from 'zod';

interface Entry {
  /** Position in the log of the watch, from 1. */
  readonly sequence: number;
  /** Time in milliseconds since the epoch. */
  readonly at: number;
  /** Stored details of the entry. They contain unverified text of providers. */
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

// Unreadable values become null, so that one of them cannot make a whole log unreadable.

const instant = z
  .union([z.number(), z.string()])
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()))
  .transform((date) => date.toISOString())
  // A year beyond 9999 has a sign and six digits, which is not the format of the interface.
  .refine((text) => /^[0-9]/.test(text))
  .nullable()
  .catch(null);

const anyText = z.string().catch('');

const storedOption = z.object({
  scheme: anyText,
  network: anyText,
  asset: anyText,
  assetSymbol: z.string().nullable().catch(null),
  decimals: z.int().min(0).max(77).nullable().catch(null),
  amount: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .nullable()
    .catch(null),
  amountUsd: z
    .string()
    .regex(/^[0-9]{1,80}\.[0-9]{6}$/)
    .nullable()
    .catch(null),
  payTo: anyText,
});

const storedTerms = z.object({
  version: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .catch(null),
  options: z.array(storedOption),
});

const storedCompliance = z.object({ compliance: z.enum(['pass', 'warnings', 'errors', 'unpayable']) });

const storedLiveness = z.object({
  liveness: z.enum(['up', 'down']).nullable().catch(null),
  downSince: instant,
  missedProbes: z.int().min(0).nullable().catch(null),
  outcome: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .nullable()
    .catch(null),
  httpStatus: z.int().min(100).max(999).nullable().optional().catch(undefined),
});

/** Details before and after a change; a side that is missing or unreadable is null. */
interface Sides<T> {
  readonly before: T | null;
  readonly after: T | null;
}

function readSides<T>(side: z.ZodType<T>, data: unknown): Sides<T> {
  const nullable = side.nullable().catch(null);
  const parsed = z.object({ before: nullable, after: nullable }).safeParse(data);
  return parsed.data ?? { before: null, after: null };
}

/** Reads the payment terms before and after a change. */
export function readTerms(data: unknown): Sides<StoredTerms> {
  return readSides(storedTerms, data);
}

/** Reads the compliance before and after a change. */
export function readCompliance(data: unknown): Sides<z.infer<typeof storedCompliance>> {
  return readSides(storedCompliance, data);
}

/** Reads the details of an outage before and after a change. */
export function readLiveness(data: unknown): Sides<StoredLiveness> {
  return readSides(storedLiveness, data);
}

const period = z.object({ expiresAt: instant }).nullable().catch(null);

const storedLifecycle = z
  .object({
    expiresAt: instant,
    before: period,
    after: period,
    changed: z.array(z.enum(['events', 'liveness_sensitivity_n', 'delivery'])).catch([]),
    channel: z.enum(['webhook', 'slack', 'discord']).nullable().catch(null),
    label: z.string().nullable().catch(null),
    reason: z.enum(['gone', 'failing']).nullable().catch(null),
  })
  .catch({
    expiresAt: null,
    before: null,
    after: null,
    changed: [],
    channel: null,
    label: null,
    reason: null,
  });

export type StoredOption = z.infer<typeof storedOption>;
export type StoredTerms = z.infer<typeof storedTerms>;
export type StoredLiveness = z.infer<typeof storedLiveness>;

/** Reads the details of an event on the watch itself. */
export function readLifecycle(data: unknown): z.infer<typeof storedLifecycle> {
  return storedLifecycle.parse(data);
}
