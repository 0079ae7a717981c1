import { DAY_MS } from '@touchstone/common';
import { call, callForRow, type Db } from '../client/client.ts';
import { formatDay, formatTimestamp } from '../client/rows.ts';

/** Retention of the results of settled payments, in milliseconds. */
const KEEP_RESULTS_MS = DAY_MS;
/** Retention of failed and unfinished payments, in milliseconds. */
const KEEP_FAILED_MS = 7 * DAY_MS;

/** Rows to delete: those of days before `keepFrom` (milliseconds since the epoch), at most `limit` of each kind. */
interface ExpiredRows {
  readonly keepFrom: number;
  readonly limit: number;
}

/** Rows to delete at the time `now` (milliseconds since the epoch), at most `limit` of each kind. */
interface ExpiredNow {
  readonly now: number;
  readonly limit: number;
}

/**
 * Creates the daily partitions of the observations table from the day `from` to the day `to`. Drops the partitions of
 * days before `keepFrom`.
 */
export async function maintainPartitions(
  db: Db,
  days: { readonly from: number; readonly to: number; readonly keepFrom?: number },
): Promise<{ created: number; dropped: number }> {
  return callForRow(db, 'maintain_observation_partitions', {
    p_from: formatDay(days.from),
    p_to: formatDay(days.to),
    p_keep_from: days.keepFrom === undefined ? null : formatDay(days.keepFrom),
  });
}

/** Deletes the probe queues of hosts without a scheduled endpoint. Returns the number of deleted queues. */
export async function pruneHostQueues(db: Db): Promise<number> {
  return call(db, 'prune_host_queues', {});
}

/**
 * Deletes rollups, scores and changes of days before `keepFrom`, and challenges that were last observed before that day.
 * @returns Number of deleted rows of each kind. If a number equals `limit`, more expired rows may exist.
 */
export async function pruneExpired(
  db: Db,
  { keepFrom, limit }: ExpiredRows,
): Promise<{ rollups: number; scores: number; challenges: number; changes: number }> {
  return callForRow(db, 'prune_expired', { p_keep_from: formatDay(keepFrom), p_limit: limit });
}

/** Deletes settlements and daily sums of settlements. Returns the numbers of deleted rows. */
export async function pruneSettlements(
  db: Db,
  { keepFrom, limit }: ExpiredRows,
): Promise<{ settlements: number; sums: number }> {
  return callForRow(db, 'prune_settlements', { p_keep_from: formatDay(keepFrom), p_limit: limit });
}

/**
 * Deletes the results of settled payments after one day, and unfinished or failed payments after one week. Failed
 * payments are kept until they were compared with the chain; settled payments are kept for ever.
 */
export async function prunePayments(
  db: Db,
  { now, limit }: ExpiredNow,
): Promise<{ results: number; payments: number }> {
  return callForRow(db, 'prune_payments', {
    p_keep_results_from: formatTimestamp(now - KEEP_RESULTS_MS),
    p_keep_failed_from: formatTimestamp(now - KEEP_FAILED_MS),
    p_limit: limit,
  });
}

/** Deletes windows of rate limits that have ended. Returns the number of deleted windows. */
export async function pruneRateLimits(db: Db, { now, limit }: ExpiredNow): Promise<number> {
  return call(db, 'prune_rate_limits', { p_before: formatTimestamp(now), p_limit: limit });
}

/** Deletes at most `limit` delivery attempts from before the time `before`. Returns the number of deleted attempts. */
export async function pruneWatchAttempts(
  db: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  return call(db, 'prune_watch_attempts', { p_before: formatTimestamp(before), p_limit: limit });
}

/** Deletes ecosystem events. Returns the number of deleted events. */
export async function pruneEcosystemEvents(db: Db, { keepFrom, limit }: ExpiredRows): Promise<number> {
  return call(db, 'prune_ecosystem_events', { p_keep_from: formatDay(keepFrom), p_limit: limit });
}

/** Deletes the figures of days before `keepFrom`, in milliseconds since the epoch. Returns the number of deleted days. */
export async function pruneEcosystemDays(db: Db, keepFrom: number): Promise<number> {
  return call(db, 'prune_ecosystem_days', { p_keep_from: formatDay(keepFrom) });
}
