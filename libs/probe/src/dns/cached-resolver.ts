import type { DialAddress, Resolver } from '../types.ts';

export interface CachedResolverOptions {
  /** Milliseconds for which an answer, or a failure, is kept: about as long as a batch takes. */
  readonly keepMs?: number;
}

interface Kept {
  readonly answer: Promise<readonly DialAddress[]>;
  readonly until: number;
}

/** Names are kept in the order in which they were asked for, so those that are over come first. */
function forget(kept: Map<string, Kept>, now: number): void {
  for (const [name, { until }] of kept) {
    if (until > now) return;
    kept.delete(name);
  }
}

/**
 * Asks once for each name while an answer is kept: many endpoints share a host, and a dead name server should stall one
 * of them, not all in turn. Failures are kept too. What is kept is short-lived, because an endpoint that moves should be
 * found where it is; the guard judges the address at every connection in any case.
 *
 * @param resolver - The resolver to ask. It must have a deadline of its own, because a caller that gives up does not
 * end a look-up that others wait for.
 * @param options - `keepMs`, a minute unless given.
 */
export function createCachedResolver(
  resolver: Resolver,
  { keepMs = 60_000 }: CachedResolverOptions = {},
): Resolver {
  const kept = new Map<string, Kept>();
  const neverAborted = new AbortController().signal;
  return (hostname) => {
    const now = performance.now();
    forget(kept, now);
    const known = kept.get(hostname);
    if (known !== undefined) return known.answer;
    const answer = resolver(hostname, neverAborted);
    kept.set(hostname, { answer, until: now + keepMs });
    return answer;
  };
}
