import { unwrap, type Db } from '../client/client.ts';
import { formatDay } from '../client/timestamps.ts';

/** Creates the daily partitions from `from` to `to` and drops those of days before `keepFrom`. */
export async function maintainPartitions(
  db: Db,
  days: { readonly from: number; readonly to: number; readonly keepFrom?: number },
): Promise<{ created: number; dropped: number }> {
  const response = await db.rpc('maintain_observation_partitions', {
    p_from: formatDay(days.from),
    p_to: formatDay(days.to),
    ...(days.keepFrom === undefined ? {} : { p_keep_from: formatDay(days.keepFrom) }),
  });
  const [counts] = unwrap('maintain partitions', response);
  return counts ?? { created: 0, dropped: 0 };
}

/** Deletes the queues of hosts whose last endpoint was deleted. Returns their number. */
export async function pruneHostQueues(db: Db): Promise<number> {
  return unwrap('prune host queues', await db.rpc('prune_host_queues'));
}

/**
 * Deletes rollups, scores and changes of days before `keepFrom`, and challenges without a later observation; at most
 * `limit` of each.
 * @returns The number of each. If one equals `limit`, there may be more.
 */
export async function pruneExpired(
  db: Db,
  { keepFrom, limit }: { readonly keepFrom: number; readonly limit: number },
): Promise<{ rollups: number; scores: number; challenges: number; changes: number }> {
  const response = await db.rpc('prune_expired', { p_keep_from: formatDay(keepFrom), p_limit: limit });
  const [counts] = unwrap('prune expired rows', response);
  return counts ?? { rollups: 0, scores: 0, challenges: 0, changes: 0 };
}
