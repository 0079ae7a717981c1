import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import { WATCH_CHANNELS, WATCH_EVENT_TYPES, WATCH_LIFECYCLE_TYPES } from '@touchstone/contract';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { timestampSchema } from '../client/values.ts';
import { logEntrySchema } from './watch-log.ts';

const claimedSchema = createRowSchema({
  destinationId: z.number(),
  channel: z.enum(WATCH_CHANNELS),
  url: z.string(),
  signingKey: z.string(),
  watchId: z.string(),
  endpointId: z.string(),
  resource: z.string(),
  slug: z.string(),
  /** True if the snapshot of the endpoint may lack observations or changes that are stored. */
  hasUnscoredChanges: z.boolean(),
  attempt: z.number(),
  /** True if the last attempt took 2 seconds or longer. */
  isSlow: z.boolean(),
  /** Time when the message can be sent, because the receiver or the watch has its maximum of messages; null otherwise. */
  limitedUntil: timestampSchema.nullable(),
  firstSequence: z.number(),
  lastSequence: z.number(),
  /** Time of the last entry. */
  lastAt: timestampSchema,
  /** Number of entries by type if the delivery is a digest; null otherwise. */
  counts: z.partialRecord(z.enum([...WATCH_EVENT_TYPES, ...WATCH_LIFECYCLE_TYPES]), z.number()).nullable(),
  /** Entries of the delivery, without those of a digest. */
  entries: z.array(logEntrySchema),
});

/**
 * Delivery of log entries to one destination. `url` and `signingKey` are encrypted. `attempt` is the number of the
 * attempt for the first entry, from 1. Only a chat gets several entries, and all entries of such a delivery are about
 * liveness. A digest is one message about two or more entries that were over the daily limit.
 */
export type ClaimedDelivery = z.infer<typeof claimedSchema>;

/**
 * Leases at most `limit` destinations with a due delivery to a worker, and returns the first pending entry of each
 * destination. No other worker gets a delivery of these destinations for `leaseSeconds`. Without a recorded result, the
 * same entry is due again after the lease. At most `slowLimit` of the destinations are slow, so that slow receivers do
 * not delay the deliveries to other destinations. Each message counts: a receiver gets at most 600 messages in 24 hours,
 * and at most 100 of them from one watch. The destination that has waited longest comes first.
 */
export async function claimDeliveries(
  db: Db,
  claim: {
    readonly owner: string;
    readonly now: number;
    readonly leaseSeconds: number;
    readonly limit: number;
    readonly slowLimit: number;
  },
): Promise<ClaimedDelivery[]> {
  const response = await call(db, 'claim_deliveries', { ...claim, now: formatTimestamp(claim.now) });
  return z.array(claimedSchema).parse(response);
}

/**
 * Result of one attempt. Times are milliseconds since the epoch. The values of `outcome` are:
 * - `delivered`
 * - `retry`: failed; the next attempt is at `nextAttemptAt`.
 * - `exhausted`: the last attempt failed. The next entry of the destination follows.
 * - `gone`: the receiver requested no further deliveries, so the destination is disabled.
 * - `refused`: the host refuses messages, so the destination is disabled. No message was sent, and none counts.
 * - `limited`: the receiver or the watch has its maximum of messages. No message was sent, and the attempt does not
 *   count. If two or more entries are pending at `nextAttemptAt`, they become one digest.
 * - `self-failure`: failed because of our own network. The entry is retried at `nextAttemptAt`. Neither the
 *   attempt nor the message counts.
 */
export interface DeliveryAttempt {
  readonly destinationId: number;
  /** Sequence number of the first claimed entry. */
  readonly firstSequence: number;
  /** Sequence number of the last claimed entry. */
  readonly lastSequence: number;
  readonly at: number;
  readonly durationMs: number;
  /** Phase in which the request failed; null for a success. */
  readonly phase: string | null;
  readonly httpStatus: number | null;
  /** Start of the response body. At most 1,000 characters are stored. */
  readonly reply: string | null;
  readonly error: string | null;
  readonly outcome: 'delivered' | 'retry' | 'exhausted' | 'gone' | 'refused' | 'limited' | 'self-failure';
  readonly nextAttemptAt: number | null;
}

/** Number of results by outcome. `retried` includes self-inflicted failures. A disabled destination counts only once. */
export interface RecordedDeliveries {
  readonly delivered: number;
  readonly retried: number;
  readonly limited: number;
  readonly exhausted: number;
  readonly disabled: number;
}

/** Replaces the characters that PostgreSQL cannot store: NUL and lone surrogates. */
const toStorableText = (text: string | null): string | null =>
  text?.toWellFormed().replaceAll('\0', '\uFFFD') ?? null;

/**
 * Records the results of attempts, and ends the leases of their destinations. Results of destinations whose lease the
 * worker has lost are ignored. A destination without a success for `disableAfterSeconds` is disabled.
 */
export async function recordDeliveries(
  db: Db,
  record: {
    readonly owner: string;
    readonly now: number;
    readonly disableAfterSeconds: number;
    readonly attempts: readonly DeliveryAttempt[];
  },
): Promise<RecordedDeliveries> {
  const attempts = record.attempts.map(({ at, reply, error, nextAttemptAt, ...attempt }) => ({
    ...attempt,
    at: formatTimestamp(at),
    reply: toStorableText(reply),
    error: toStorableText(error),
    nextAttemptAt: formatTimestampOrNull(nextAttemptAt),
  }));
  return callForRow(db, 'record_deliveries', { ...record, now: formatTimestamp(record.now), attempts });
}

/** Ends all leases of a worker that has stopped, so its deliveries are due again. Returns the number of leases. */
export async function releaseDeliveries(db: Db, { owner }: { readonly owner: string }): Promise<number> {
  return call(db, 'release_deliveries', { owner });
}
