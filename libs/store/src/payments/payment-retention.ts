import { DAY_MS } from '@touchstone/common';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/** Retention of the results of settled payments, in milliseconds. */
const KEEP_RESULTS_MS = DAY_MS;
/** Retention of failed and unfinished payments, in milliseconds. */
const KEEP_FAILED_MS = 7 * DAY_MS;

/**
 * Deletes the results of settled payments after one day, and unfinished or failed payments after one week. Each call
 * deletes at most `limit` results and `limit` payments. Failed payments are kept until they were compared with the
 * chain; settled payments are kept for ever.
 */
export async function prunePayments(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ results: number; payments: number }> {
  const response = await db.rpc('prune_payments', {
    p_keep_results_from: formatTimestamp(now - KEEP_RESULTS_MS),
    p_keep_failed_from: formatTimestamp(now - KEEP_FAILED_MS),
    p_limit: limit,
  });
  const [counts] = unwrap('prune payments', response);
  return counts ?? { results: 0, payments: 0 };
}
