import { consumeRateLimit, type RateLimit } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { createLimited, type OperationProblem } from './problem.ts';

/**
 * Counts a call against a rate limit.
 *
 * @param limit.reason sentence that says which limit was reached
 * @returns the problem to respond with; null if the call is allowed
 */
export async function limitCalls(
  { db, now: readTime }: Pick<PipelineContext, 'db' | 'now'>,
  { reason, ...limit }: Omit<RateLimit, 'now'> & { readonly reason: string },
): Promise<OperationProblem<'rate-limited'> | null> {
  const now = readTime();
  const { allowed, resetsAt } = await consumeRateLimit(db, { ...limit, now });
  return allowed ? null : createLimited(reason, Math.max(1, Math.ceil((resetsAt - now) / 1000)));
}
