import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { isoTime, timeSchema } from './time.ts';

export interface RateLimit {
  /** Who is limited in what, such as `preview 203.0.113.7`. */
  readonly key: string;
  /** What a call takes; 1. */
  readonly cost?: number;
  /** What may be taken in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const takenSchema = z
  .object({ allowed: z.boolean(), remaining: z.number(), ends_at: timeSchema })
  .transform(({ allowed, remaining, ends_at: resetsAt }) => ({ allowed, remaining, resetsAt }));

/** Whether a call is within its limit, what is left of the window, and when that ends, in milliseconds since the epoch. */
export type TakenRateLimit = z.infer<typeof takenSchema>;

/**
 * Counts a call against a limit that holds over every process that asks the same database. A window begins with the
 * first call after the last one ended; what is refused is not counted.
 * @throws StoreError when the database cannot be asked; whoever calls lets the call through then
 */
export async function takeRateLimit(db: Db, given: RateLimit): Promise<TakenRateLimit> {
  const answer = await db.rpc('take_rate_limit', {
    p_key: given.key,
    p_cost: given.cost ?? 1,
    p_limit: given.limit,
    p_window_seconds: given.windowSeconds,
    p_now: isoTime(given.now),
  });
  return z.tuple([takenSchema]).parse(unwrap('count a call against its limit', answer))[0];
}

/** Forgets windows that have ended, at most `limit`. Returns how many. */
export async function pruneRateLimits(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  const answer = await db.rpc('prune_rate_limits', { p_before: isoTime(now), p_limit: limit });
  return unwrap('prune rate limits', answer);
}
