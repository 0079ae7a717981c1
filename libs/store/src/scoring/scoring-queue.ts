import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/**
 * Queues endpoints whose snapshot is `maxAgeSeconds` old, the oldest first.
 *
 * @returns Number of queued endpoints, at most `limit`.
 */
export async function queueAgedSnapshots(
  db: Db,
  query: { readonly now: number; readonly maxAgeSeconds: number; readonly limit: number },
): Promise<number> {
  const response = await db.rpc('queue_aged_snapshots', {
    p_now: formatTimestamp(query.now),
    p_max_age_seconds: query.maxAgeSeconds,
    p_limit: query.limit,
  });
  return unwrap('queue aged snapshots', response);
}

/**
 * Claims endpoints for scoring: urgent ones first, then the longest waiting. No other worker can claim them for
 * `leaseSeconds`. In that time the caller saves them with `saveSnapshots` or postpones them; otherwise they can be
 * claimed again.
 *
 * @returns Endpoint ids, and `hasMore` if others may be left.
 */
export async function claimScores(
  db: Db,
  query: { readonly now: number; readonly leaseSeconds: number; readonly limit: number },
): Promise<{ readonly endpointIds: readonly string[]; readonly hasMore: boolean }> {
  const response = await db.rpc('claim_scores', {
    p_now: formatTimestamp(query.now),
    p_lease_seconds: query.leaseSeconds,
    p_limit: query.limit,
  });
  const [claimed] = unwrap('claim endpoints for scoring', response);
  return { endpointIds: claimed?.endpoint_ids ?? [], hasMore: claimed?.has_more ?? false };
}

/** Postpones endpoints that could not be scored until `until`, in milliseconds since the epoch. Returns their number. */
export async function postponeScores(
  db: Db,
  { endpointIds, until }: { readonly endpointIds: readonly string[]; readonly until: number },
): Promise<number> {
  const response = await db.rpc('postpone_scores', {
    p_endpoint_ids: [...endpointIds],
    p_until: formatTimestamp(until),
  });
  return unwrap('postpone scores', response);
}
