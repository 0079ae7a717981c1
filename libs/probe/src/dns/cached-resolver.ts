import type { DialAddress, Resolver } from '../types.ts';

export interface CachedResolverOptions {
  /** Duration for which a result or failure is cached, in milliseconds; about the duration of a batch of probes. */
  readonly keepMs?: number;
}

interface CacheEntry {
  readonly result: Promise<readonly DialAddress[]>;
  readonly expiresAt: number;
}

/** Deletes expired entries. The entries are ordered by their expiry, so the loop stops at the first valid one. */
function deleteExpired(cache: Map<string, CacheEntry>, now: number): void {
  for (const [name, { expiresAt }] of cache) {
    if (expiresAt > now) return;
    cache.delete(name);
  }
}

/**
 * Creates a resolver with a cache. Many endpoints share a host, so one batch of probes looks up each name only once.
 * The failures of an unresponsive name server are cached too, so only the first endpoint waits for it.
 *
 * The results are kept for a short time only, so that a changed address is found soon. The address guard still checks
 * every address before each connection.
 *
 * @param resolver the resolver to cache. It needs its own timeout, because callers share a lookup and cannot abort it.
 * @param options `keepMs` is one minute by default
 */
export function createCachedResolver(
  resolver: Resolver,
  { keepMs = 60_000 }: CachedResolverOptions = {},
): Resolver {
  const cache = new Map<string, CacheEntry>();
  const neverAborted = new AbortController().signal;
  return (hostname) => {
    const now = performance.now();
    deleteExpired(cache, now);
    const cached = cache.get(hostname);
    if (cached !== undefined) return cached.result;
    const result = resolver(hostname, neverAborted);
    cache.set(hostname, { result, expiresAt: now + keepMs });
    return result;
  };
}
