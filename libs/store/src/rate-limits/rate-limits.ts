import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp, timestampSchema } from '../client/timestamps.ts';

export interface RateLimit {
  /** Operation and client, such as `preview 203.0.113.7`. */
  readonly key: string;
  /** Cost of a call; default 1. */
  readonly cost?: number;
  /** Maximum cost of all calls in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const resultSchema = z
  .object({ allowed: z.boolean(), remaining: z.number(), ends_at: timestampSchema })
  .transform(({ allowed, remaining, ends_at: resetsAt }) => ({ allowed, remaining, resetsAt }));

/** Result of a call: allowed or not, the remaining cost, and the end of the window in milliseconds since the epoch. */
export type RateLimitResult = z.infer<typeof resultSchema>;

/**
 * Counts a call against a limit that all processes with the same database share. A window starts with the first call
 * after the last one ended. Refused calls are not counted.
 * @throws StoreError when the database cannot be reached; callers allow the call then.
 */
export async function consumeRateLimit(db: Db, given: RateLimit): Promise<RateLimitResult> {
  const response = await db.rpc('consume_rate_limit', {
    p_key: given.key,
    p_cost: given.cost ?? 1,
    p_limit: given.limit,
    p_window_seconds: given.windowSeconds,
    p_now: formatTimestamp(given.now),
  });
  return z.tuple([resultSchema]).parse(unwrap('count a call against its limit', response))[0];
}

/** Deletes windows that have ended, at most `limit`. Returns their number. */
export async function pruneRateLimits(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  const response = await db.rpc('prune_rate_limits', { p_before: formatTimestamp(now), p_limit: limit });
  return unwrap('prune rate limits', response);
}
