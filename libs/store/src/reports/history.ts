import { CHANGE_KINDS } from '@touchstone/contract';
import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { termsSchema } from '../scoring/scoring.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/** Schema of a time in milliseconds since the epoch. */
const ms = z.number();

const eventTermsSchema = termsSchema.pick({ version: true, description: true, options: true });

/** Schemas of the columns that raw and hourly observations have in common. The latency is in whole milliseconds. */
const pointSchemas = [
  ms,
  z.string(),
  z.number().int().nullable(),
  z.number().nullable(),
  z.boolean().nullable(),
  z.string().nullable(),
] as const;

const rawSchema = z
  .tuple(pointSchemas)
  .transform(([at, outcome, httpStatus, latencyMs, compliant, amountUsd]) => ({
    at,
    outcome,
    httpStatus,
    latencyMs,
    compliant,
    amountUsd,
  }));

const hourSchema = z
  .tuple([...pointSchemas, z.number().int(), z.number().int()])
  .transform(([at, outcome, httpStatus, latencyMs, compliant, amountUsd, probes, up]) => ({
    at,
    outcome,
    httpStatus,
    latencyMs,
    compliant,
    amountUsd,
    probes,
    up,
  }));

const listingEvent = z.object({
  at: ms,
  event: z.enum(['listed', 'delisted', 'relisted']),
  before: z.unknown(),
  after: z.unknown(),
});

const termsEvent = z.object({
  at: ms,
  event: z.enum([...CHANGE_KINDS, 'metadata_change']),
  before: eventTermsSchema.nullable(),
  after: eventTermsSchema.nullable(),
});

const historySchema = z
  .object({
    resource: z.string(),
    events: z.array(
      z.union([listingEvent.transform((event) => ({ ...event, before: null, after: null })), termsEvent]),
    ),
    raw: z.array(rawSchema),
    hourly: z.array(hourSchema),
    daily: z.array(
      z.object({
        day: z.iso.date(),
        /** Number of probes that count toward uptime. */
        probes: z.number().int(),
        up: z.number().int(),
        /** Latency histogram with the buckets of the scoring formula; null on a day without latencies. */
        histogram: z.array(z.number()).nullable(),
        score: z.number().nullable(),
      }),
    ),
  })
  .nullable();

/**
 * Stored history of an endpoint: events, observations and daily figures. Each list starts with the oldest item. Times
 * are milliseconds since the epoch.
 */
export type StoredHistory = NonNullable<z.infer<typeof historySchema>>;

export interface HistoryQuery {
  readonly endpointId: string;
  /** Period of the history, in milliseconds since the epoch: `from` is exclusive, `to` is inclusive. */
  readonly from: number;
  readonly to: number;
  /**
   * Maximum number of raw observations. The newest observations are returned one by one, the older ones as hourly sums.
   */
  readonly rawLimit: number;
  /** Maximum number of events, and maximum total size of their data in characters. The newest events are returned. */
  readonly eventLimit: number;
  readonly eventBytes: number;
}

/**
 * Returns the history of an endpoint with one database call; null if the endpoint is unknown or removed from public
 * view.
 */
export async function readEndpointHistory(db: Db, query: HistoryQuery): Promise<StoredHistory | null> {
  const { data, error } = await db.rpc('endpoint_history', {
    p_endpoint_id: query.endpointId,
    p_from: formatTimestamp(query.from),
    p_to: formatTimestamp(query.to),
    p_raw_limit: query.rawLimit,
    p_event_limit: query.eventLimit,
    p_event_bytes: query.eventBytes,
  });
  // The SQL function returns null for an unknown endpoint, which is no error here.
  if (error === null && data === null) return null;
  return historySchema.parse(unwrap('read a history', { data, error }));
}
