import { z } from 'zod';
import { DAY_MS, formatDay, formatTimestamp } from '@touchstone/common';
import { call, callForRow, type Db } from '../client/client.ts';

/** Retention of the results of settled payments, in milliseconds. */
const KEEP_RESULTS_MS = DAY_MS;
/** Retention of failed and unfinished payments, in milliseconds. */
const KEEP_FAILED_MS = 7 * DAY_MS;

/**
 * Creates the daily partitions of the observations table from the day `from` to the day `to`, and returns the number of
 * created partitions.
 */
export async function createPartitions(
  db: Db,
  days: { readonly from: number; readonly to: number },
): Promise<number> {
  return call(db, 'create_observation_partitions', { from: formatDay(days.from), to: formatDay(days.to) });
}

/**
 * Packs the observations of at most `limit` endpoints of the oldest unpacked day before the day of `before`, and returns
 * the number of these endpoints. A day is complete when the number is 0. Returns null when no day is left.
 */
export async function packObservations(
  db: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number | null> {
  return call(db, 'pack_observations', { before: formatDay(before), limit });
}

/** Deletes the probe queues of hosts without a scheduled endpoint. Returns the number of deleted queues. */
export async function pruneHostQueues(db: Db): Promise<number> {
  return call(db, 'prune_host_queues', {});
}

const count = z.number().default(0);
/** Schema of the number of deleted rows in each table. */
const deletedSchema = z.object({
  buyer_outcomes: count,
  challenges: count,
  changes: count,
  checks: count,
  daily_rollups: count,
  daily_scores: count,
  ecosystem_days: count,
  ecosystem_events: count,
  maintenance_windows: count,
  packed_observations: count,
  rate_limits: count,
  wallet_facilitators: count,
  wallet_payer_days: count,
  wallet_sent_days: count,
  watch_attempts: count,
});
type DeletedRows = z.infer<typeof deletedSchema>;

/**
 * Deletes the rows of each given table that are older than a time, in milliseconds since the epoch. In tables with one
 * row per UTC day, the row of the day that contains this time is kept. Deletes at most `limit` rows of each table.
 * @returns Number of deleted rows of each table. If a number equals `limit`, more expired rows may exist.
 */
export async function pruneRows(db: Db, before: Partial<DeletedRows>, limit: number): Promise<DeletedRows> {
  const times = Object.entries(before).map(([table, time]) => [table, formatTimestamp(time)] as const);
  return deletedSchema.parse(await call(db, 'prune_rows', { before: Object.fromEntries(times), limit }));
}

/**
 * Deletes settlements of days before `keepFrom` (milliseconds since the epoch), at most `limit`. Returns the number of
 * deleted settlements.
 */
export async function pruneSettlements(
  db: Db,
  { keepFrom, limit }: { readonly keepFrom: number; readonly limit: number },
): Promise<number> {
  return call(db, 'prune_settlements', { keepFrom: formatDay(keepFrom), limit });
}

/**
 * Deletes the results of settled payments after one day, and unfinished or failed payments after one week. Each call
 * deletes at most `limit` results and `limit` payments. Failed payments are kept until they were compared with the
 * chain; settled payments are never deleted.
 */
export async function prunePayments(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ results: number; payments: number }> {
  return callForRow(db, 'prune_payments', {
    keepResultsFrom: formatTimestamp(now - KEEP_RESULTS_MS),
    keepFailedFrom: formatTimestamp(now - KEEP_FAILED_MS),
    limit,
  });
}
