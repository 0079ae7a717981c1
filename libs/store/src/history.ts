import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { termsSchema } from './scoring.ts';
import { isoTime } from './time.ts';

const ms = z.number();

const termsOf = termsSchema.pick({ version: true, description: true, options: true });

/** What an answer said; latency in whole milliseconds. */
const point = [
  ms,
  z.string(),
  z.number().int().nullable(),
  z.number().nullable(),
  z.boolean().nullable(),
  z.string().nullable(),
] as const;

const rawSchema = z.tuple(point).transform(([at, outcome, httpStatus, latencyMs, compliant, amountUsd]) => ({
  at,
  outcome,
  httpStatus,
  latencyMs,
  compliant,
  amountUsd,
}));

const hourSchema = z
  .tuple([...point, z.number().int(), z.number().int()])
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
  event: z.enum(['price_change', 'payto_change', 'asset_network_change', 'metadata_change']),
  before: termsOf.nullable(),
  after: termsOf.nullable(),
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
        /** Those that count in uptime. */
        probes: z.number().int(),
        up: z.number().int(),
        /** Latencies in the buckets of the formula; null where nothing was timed. */
        histogram: z.array(z.number()).nullable(),
        score: z.number().nullable(),
      }),
    ),
  })
  .nullable();

/** What was seen of an endpoint, each list with the oldest first. Times are milliseconds since the epoch. */
export type StoredHistory = NonNullable<z.infer<typeof historySchema>>;

export interface HistoryQuery {
  readonly endpointId: string;
  /** After `from` and until `to`, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** So many of the newest observations by themselves at most; hours of those before. */
  readonly rawLimit: number;
  /** So many of the newest events at most, and of these as many as have `eventBytes` together. */
  readonly eventLimit: number;
  readonly eventBytes: number;
}

/** The history of an endpoint in one call; null where it is not in the catalog, or was taken out of it. */
export async function readEndpointHistory(db: Db, query: HistoryQuery): Promise<StoredHistory | null> {
  const { data, error } = await db.rpc('endpoint_history', {
    p_endpoint_id: query.endpointId,
    p_from: isoTime(query.from),
    p_to: isoTime(query.to),
    p_raw_limit: query.rawLimit,
    p_event_limit: query.eventLimit,
    p_event_bytes: query.eventBytes,
  });
  // An endpoint that is not there is an answer too.
  if (error === null && data === null) return null;
  return historySchema.parse(unwrap('read a history', { data, error }));
}
