import { MINUTE_MS } from '@touchstone/common';
import { LRUCache } from 'lru-cache';

interface CachedSlug {
  readonly slug: string;
  /** Expiry time in milliseconds since the epoch. */
  readonly expiresAt: number;
}

const MAX_SLUGS = 50_000;
const SLUG_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * Adds a cache to a function that finds slugs. A slug is cached for ten minutes, so that a request for a cached page
 * needs no database query. Unknown ids are not cached, because clients can invent any number of ids.
 *
 * @param findSlug Returns the slug of an endpoint by its id; null for an unknown id.
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function cacheSlugs(
  findSlug: (endpointId: string) => Promise<string | null>,
  now: () => number = Date.now,
): (endpointId: string) => Promise<string | null> {
  const cached = new LRUCache<string, CachedSlug>({ max: MAX_SLUGS });
  return async (endpointId) => {
    const hit = cached.get(endpointId);
    if (hit && hit.expiresAt > now()) return hit.slug;
    cached.delete(endpointId);
    const slug = await findSlug(endpointId);
    if (slug !== null) cached.set(endpointId, { slug, expiresAt: now() + SLUG_LIFETIME_MS });
    return slug;
  };
}
