import { MINUTE_MS } from '@touchstone/common';
import type { PageTarget } from '@touchstone/store';
import { LRUCache } from 'lru-cache';

interface CachedTarget {
  readonly target: NonNullable<PageTarget>;
  /** Expiry time in milliseconds since the epoch. */
  readonly expiresAt: number;
}

const MAX_TARGETS = 50_000;
const TARGET_LIFETIME_MS = 10 * MINUTE_MS;

/** Finds the page of an endpoint by its id; null for an unknown id. */
export type FindPageTarget = (endpointId: string) => Promise<PageTarget>;

/**
 * Adds a cache to a function that finds the pages of endpoints. A page is cached for ten minutes, so that a request for
 * a cached page needs no database query. Unknown ids are not cached, because clients can invent any number of ids.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function cachePageTargets(find: FindPageTarget, now: () => number = Date.now): FindPageTarget {
  const cached = new LRUCache<string, CachedTarget>({ max: MAX_TARGETS });
  return async (endpointId) => {
    const hit = cached.get(endpointId);
    if (hit && hit.expiresAt > now()) return hit.target;
    cached.delete(endpointId);
    const target = await find(endpointId);
    if (target !== null) cached.set(endpointId, { target, expiresAt: now() + TARGET_LIFETIME_MS });
    return target;
  };
}
