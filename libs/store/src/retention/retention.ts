import { unwrap, type Db } from '../client/client.ts';
import { formatDay } from '../client/timestamps.ts';

/**
 * Creates the daily partitions of the observations table from the day `from` to the day `to`. Drops the partitions of
 * days before `keepFrom`.
 */
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

/**
 * Deletes the probe queues of hosts that have no scheduled endpoints any more. Returns the number of deleted queues.
 */
export async function pruneHostQueues(db: Db): Promise<number> {
  return unwrap('prune host queues', await db.rpc('prune_host_queues'));
}

/**
 * Deletes rollups, scores and changes of days before `keepFrom`, and challenges that were last observed before that
 * day. Deletes at most `limit` rows of each kind.
 * @returns Number of deleted rows of each kind. If a number equals `limit`, more expired rows may exist.
 */
export async function pruneExpired(
  db: Db,
  { keepFrom, limit }: { readonly keepFrom: number; readonly limit: number },
): Promise<{ rollups: number; scores: number; challenges: number; changes: number }> {
  const response = await db.rpc('prune_expired', { p_keep_from: formatDay(keepFrom), p_limit: limit });
  const [counts] = unwrap('prune expired rows', response);
  return counts ?? { rollups: 0, scores: 0, challenges: 0, changes: 0 };
}
