import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

/**
 * Has endpoints scored again whose snapshot is `maxAgeSeconds` old, the oldest first.
 *
 * @returns how many were added to those that wait, `limit` at most
 */
export async function queueAgedSnapshots(
  db: Db,
  query: { readonly now: number; readonly maxAgeSeconds: number; readonly limit: number },
): Promise<number> {
  const answer = await db.rpc('queue_aged_snapshots', {
    p_now: isoTime(query.now),
    p_max_age_seconds: query.maxAgeSeconds,
    p_limit: query.limit,
  });
  return unwrap('queue aged snapshots', answer);
}

/**
 * Takes endpoints to be scored, urgent ones first, then the longest waiting. Nobody else takes them for `holdSeconds`:
 * until then they are saved with `saveSnapshots` or set back, or else, when whoever took them died, taken again.
 *
 * @returns their ids, and whether others may be left
 */
export async function takeScores(
  db: Db,
  query: { readonly now: number; readonly holdSeconds: number; readonly limit: number },
): Promise<{ readonly endpointIds: readonly string[]; readonly more: boolean }> {
  const answer = await db.rpc('take_scores', {
    p_now: isoTime(query.now),
    p_hold_seconds: query.holdSeconds,
    p_limit: query.limit,
  });
  const [taken] = unwrap('take what is to be scored', answer);
  return { endpointIds: taken?.endpoint_ids ?? [], more: taken?.more ?? false };
}

/** Leaves endpoints that could not be scored alone until `until`, in milliseconds since the epoch. Returns how many. */
export async function setBackScores(
  db: Db,
  { endpointIds, until }: { readonly endpointIds: readonly string[]; readonly until: number },
): Promise<number> {
  const answer = await db.rpc('set_back_scores', {
    p_endpoint_ids: [...endpointIds],
    p_until: isoTime(until),
  });
  return unwrap('set scores back', answer);
}
