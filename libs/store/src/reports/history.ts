import { formatTimestamp } from '@touchstone/common';
import { CHANGE_KINDS } from '@touchstone/contract';
import { failureSchema, purchaseFactSchema } from '@touchstone/trust';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { causesSchema } from '../snapshots/snapshot.ts';
import { changedTermsSchema } from '../scoring/scoring.ts';

/** Schema of a time in milliseconds since the epoch. */
const ms = z.number();

const pointShape = {
  at: ms,
  outcome: z.string(),
  httpStatus: z.number().int().nullable(),
  /** Time to the last byte of the response, in whole milliseconds. */
  latencyMs: z.number().nullable(),
  compliant: z.boolean().nullable(),
  amountUsd: z.string().nullable(),
  /** Cause of the failure in kebab case; null for a successful probe. */
  error: z.string().nullable(),
};

/**
 * Creates the schema of an object that the database sends as a short array: only the values, without their names. The
 * values have the order of `shape`.
 */
function createListSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .array(z.unknown())
    .transform((values) => Object.fromEntries(Object.keys(shape).map((name, index) => [name, values[index]])))
    .pipe(z.object(shape));
}

const rawSchema = createListSchema(pointShape);
const hourSchema = createListSchema({ ...pointShape, probes: z.number().int(), up: z.number().int() });

const listingEvent = z.object({
  at: ms,
  event: z.enum(['listed', 'delisted', 'relisted']),
  before: z.unknown(),
  after: z.unknown(),
});

const termsEvent = z.object({
  at: ms,
  event: z.enum(CHANGE_KINDS),
  /** True if the payTo began to vary with the change. */
  varies: z.boolean(),
  before: changedTermsSchema.nullable(),
  after: changedTermsSchema.nullable(),
});

/** Texts that a directory has for an endpoint. */
const directoryTextsSchema = z.object({
  directory: z.string(),
  serviceName: z.string().nullable(),
  description: z.string().nullable(),
});

const metadataEvent = z.object({
  at: ms,
  event: z.literal('metadata_change'),
  before: directoryTextsSchema.nullable(),
  after: directoryTextsSchema.nullable(),
});

const historySchema = z
  .object({
    resource: z.string(),
    events: z.array(
      z.union([
        listingEvent.transform((event) => ({ ...event, varies: false, before: null, after: null })),
        termsEvent,
        metadataEvent.transform((event) => ({ ...event, varies: false })),
      ]),
    ),
    raw: z.array(rawSchema),
    hourly: z.array(hourSchema),
    daily: z.array(
      z.object({
        day: z.iso.date(),
        /** Number of all probes, including rechecks, excluded probes and the live probes of reports. */
        probes: z.number().int(),
        /** Number of probes that count toward uptime. */
        scored: z.number().int(),
        up: z.number().int(),
        /**
         * Histogram of the time to the last byte, with the buckets of the scoring formula. Null on a day without
         * complete responses, and on a day without a stored histogram.
         */
        histogram: z.array(z.number()).nullable(),
        score: z.number().nullable(),
      }),
    ),
    /** Latest failed probe of the 30 days before the end of the period; null if no probe failed. */
    lastFailure: failureSchema.nullable(),
    /** Numbers of failed probes by cause, in the 30 days that end with the last day of the period. */
    causes30d: causesSchema,
    /** Newest published test purchases, at most 50. */
    purchases: z.array(purchaseFactSchema),
  })
  .nullable();

/**
 * Stored history of an endpoint: events, observations and daily figures. Each list starts with the oldest item. Times
 * are milliseconds since the epoch. On the first day, the daily figures cover only the time after the start of the
 * period.
 */
export type StoredHistory = NonNullable<z.infer<typeof historySchema>>;

export interface HistoryQuery {
  readonly endpointId: string;
  /** Period of the history, in milliseconds since the epoch: `from` is exclusive, `to` is inclusive. */
  readonly from: number;
  readonly to: number;
  /**
   * Maximum number of raw observations. The newest observations are returned one by one, the older observations as
   * hourly sums.
   */
  readonly rawLimit: number;
  /**
   * Maximum number of events, and maximum total size of the data of all events in characters. The newest events are
   * returned.
   */
  readonly eventLimit: number;
  readonly eventBytes: number;
  /** True to leave out raw and hourly observations. */
  readonly dailyOnly: boolean;
}

/**
 * Returns the history of an endpoint with one database call; null if the endpoint is unknown or removed from public
 * view.
 */
export async function readEndpointHistory(db: Db, query: HistoryQuery): Promise<StoredHistory | null> {
  const period = { from: formatTimestamp(query.from), to: formatTimestamp(query.to) };
  return historySchema.parse(await call(db, 'endpoint_history', { ...query, ...period }));
}
