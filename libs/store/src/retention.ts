import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

const day = (ms: number): string => isoTime(ms).slice(0, 10);

/** Makes day partitions from `from` to `to` and drops those of days before `keepFrom`. */
export async function maintainPartitions(
  db: Db,
  days: { readonly from: number; readonly to: number; readonly keepFrom?: number },
): Promise<{ made: number; dropped: number }> {
  const answer = await db.rpc('maintain_observation_partitions', {
    p_from: day(days.from),
    p_to: day(days.to),
    ...(days.keepFrom === undefined ? {} : { p_keep_from: day(days.keepFrom) }),
  });
  const [counts] = unwrap('maintain partitions', answer);
  return counts ?? { made: 0, dropped: 0 };
}

/** Deletes the queues of hosts whose last endpoint was deleted. Returns how many. */
export async function pruneHostQueues(db: Db): Promise<number> {
  return unwrap('prune host queues', await db.rpc('prune_host_queues'));
}

/**
 * Deletes rollups, scores and changes of days before `keepFrom`, and challenges that were not seen since, at most `limit`
 * of each.
 * @returns how many; there may be more when it is `limit`.
 */
export async function pruneAged(
  db: Db,
  { keepFrom, limit }: { readonly keepFrom: number; readonly limit: number },
): Promise<{ rollups: number; scores: number; challenges: number; changes: number }> {
  const answer = await db.rpc('prune_aged', { p_keep_from: day(keepFrom), p_limit: limit });
  const [counts] = unwrap('prune what is old', answer);
  return counts ?? { rollups: 0, scores: 0, challenges: 0, changes: 0 };
}
