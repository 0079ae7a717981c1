import type { DialAddress, Resolver } from '../types.ts';

export interface CachedResolverOptions {
  /** Milliseconds for which a result or failure is cached. It should be about the duration of a batch. */
  readonly keepMs?: number;
}

interface CacheEntry {
  readonly result: Promise<readonly DialAddress[]>;
  readonly expiresAt: number;
}

/** Deletes expired entries. Entries are in the order of their lookups, so the expired ones come first. */
function deleteExpired(cache: Map<string, CacheEntry>, now: number): void {
  for (const [name, { expiresAt }] of cache) {
    if (expiresAt > now) return;
    cache.delete(name);
  }
}

/**
 * Creates a resolver that looks each name up once while the result is cached. Many endpoints share a host, and an
 * unresponsive name server should delay one of them instead of each in turn. Failures are cached too.
 *
 * The cache is short-lived, so that an endpoint that moves is found soon. The address guard still checks every address
 * at every connection.
 *
 * @param resolver the resolver to cache. It needs its own timeout: a caller that stops waiting does not abort a lookup
 * that other callers share.
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
