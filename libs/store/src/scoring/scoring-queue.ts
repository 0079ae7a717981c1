import { formatTimestamp } from '@touchstone/common';
import { call, callForRow, type Db } from '../client/client.ts';

/**
 * Queues endpoints with old snapshots for scoring. A snapshot is old after `maxAgeSeconds`. The oldest snapshot is
 * first.
 *
 * @returns Number of queued endpoints, at most `limit`.
 */
export async function queueAgedSnapshots(
  db: Db,
  query: { readonly now: number; readonly maxAgeSeconds: number; readonly limit: number },
): Promise<number> {
  return call(db, 'queue_aged_snapshots', { ...query, now: formatTimestamp(query.now) });
}

/**
 * Claims endpoints for scoring: first urgent endpoints, then the endpoints that have waited longest. No other worker
 * can claim these endpoints for `leaseSeconds`. Within this time, the caller stores their scores with `saveSnapshots`
 * or postpones them with `postponeScores`.
 *
 * @returns Ids of the claimed endpoints. `hasMore` is true if more endpoints may be waiting.
 */
export async function claimScores(
  db: Db,
  query: { readonly now: number; readonly leaseSeconds: number; readonly limit: number },
): Promise<{ readonly endpointIds: readonly string[]; readonly hasMore: boolean }> {
  const { endpoint_ids: endpointIds, has_more: hasMore } = await callForRow(db, 'claim_scores', {
    ...query,
    now: formatTimestamp(query.now),
  });
  return { endpointIds, hasMore };
}

/**
 * Postpones endpoints that could not be scored. The endpoints can be claimed again at `until`. An endpoint whose lease
 * has ended, for example by an urgent change, keeps its time. Times are in milliseconds since the epoch.
 *
 * @returns number of postponed endpoints
 */
export async function postponeScores(
  db: Db,
  {
    endpointIds,
    now,
    until,
  }: { readonly endpointIds: readonly string[]; readonly now: number; readonly until: number },
): Promise<number> {
  return call(db, 'postpone_scores', {
    endpointIds,
    now: formatTimestamp(now),
    until: formatTimestamp(until),
  });
}
