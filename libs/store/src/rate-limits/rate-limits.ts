import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { callForRow, type Db } from '../client/client.ts';
import { timestampSchema } from '../client/values.ts';

export interface RateLimit {
  /** Operation and client to which the limit applies, such as `preview 203.0.113.7`. */
  readonly key: string;
  /** Cost of this call, counted toward the limit; default 1. */
  readonly cost?: number;
  /** Maximum total cost of the calls in one window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const resultSchema = z
  .object({ allowed: z.boolean(), remaining: z.number(), ends_at: timestampSchema })
  .transform(({ ends_at: resetsAt, ...result }) => ({ ...result, resetsAt }));

/**
 * Result of counting a call: `allowed`, the `remaining` cost in the window, and the end of the window (`resetsAt`) in
 * milliseconds since the epoch.
 */
export type RateLimitResult = z.infer<typeof resultSchema>;

/**
 * Counts a call against a rate limit. All processes with the same database share the limit. The first call after the
 * end of a window starts a new window. Refused calls are not counted.
 * @throws StoreError when the database cannot be reached. Callers should allow the call then.
 */
export async function consumeRateLimit(db: Db, given: RateLimit): Promise<RateLimitResult> {
  const counted = { cost: 1, ...given, now: formatTimestamp(given.now) };
  return resultSchema.parse(await callForRow(db, 'consume_rate_limit', counted));
}
