import { DEFAULT_SCORE_DELTA, MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/**
 * Counts the better alternatives of up to `limit` endpoints that were not counted since their verdict changed or for
 * `maxAgeSeconds`. Endpoints whose text has no embedding yet are left out. The minimum difference of the scores is the
 * default of the operation that returns the alternatives. Counts for two seconds at most, so the number of counted
 * endpoints can be less than `limit` although more remain.
 * @returns The number of counted endpoints, and the ids of those whose number of better alternatives changed.
 */
export async function countAlternatives(
  db: Db,
  query: {
    readonly now: number;
    readonly model: string;
    readonly maxAgeSeconds: number;
    readonly limit: number;
  },
): Promise<{ readonly counted: number; readonly changed: readonly string[] }> {
  const response = await db.rpc('count_alternatives', {
    p_now: formatTimestamp(query.now),
    p_model: query.model,
    p_max_age_seconds: query.maxAgeSeconds,
    p_min_score_delta: DEFAULT_SCORE_DELTA,
    p_max: MAX_COUNTED_ALTERNATIVES,
    p_limit: query.limit,
  });
  const [counts] = unwrap('count alternatives', response);
  return counts ?? { counted: 0, changed: [] };
}
