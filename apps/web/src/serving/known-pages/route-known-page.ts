import { MINUTE_MS } from '@touchstone/common';
import type { PageTarget } from '@touchstone/store';
import { LRUCache } from 'lru-cache';
import type { Limited, PageLookup } from './page-guard.ts';
import { parseEndpointId, parseHost, toProviderPath } from './page-paths.ts';

/** Decision on a request for the page of an endpoint or of a provider, made before the page is rendered. */
export type PageRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'removed' }
  | { readonly kind: 'unknown' }
  | Limited;

/**
 * Decides how to respond to a request for an endpoint page. Only the canonical slug of an endpoint is served, so that
 * no page is rendered or cached for other slugs.
 *
 * @param slug Untrusted slug of the request.
 * @param lookUp Finds the page of an endpoint by its id.
 */
export function routeEndpointPage(
  slug: string,
  lookUp: (endpointId: string) => Promise<PageLookup<NonNullable<PageTarget>>>,
): Promise<PageRoute> {
  return routePage(parseEndpointId(slug), lookUp, (target) => {
    // The lookup failed, but the page may be in the cache. A page that is not in the cache shows an error.
    if (target === null) return { kind: 'serve' };
    if (target === 'removed') return { kind: 'removed' };
    return target.slug === slug ? { kind: 'serve' } : { kind: 'redirect', path: `/endpoint/${target.slug}` };
  });
}

/**
 * Decides how to respond to a request for the page of a provider. Only a known host in lower case is served, so that no
 * page is rendered or cached for other names.
 *
 * @param name Untrusted name of the page: the last part of its path, percent-encoded.
 * @param lookUp Finds the host in the catalog.
 */
export function routeProviderPage(
  name: string,
  lookUp: (host: string) => Promise<PageLookup<unknown>>,
): Promise<PageRoute> {
  const host = parseHost(name);
  return routePage(host, lookUp, () => {
    const path = toProviderPath(host ?? '');
    return path === `/provider/${name}` ? { kind: 'serve' } : { kind: 'redirect', path };
  });
}

/**
 * Looks up a page by its parsed name; a null name is unknown.
 *
 * @param decide Decides on the found page. Its argument is null if the lookup failed.
 */
async function routePage<Value>(
  name: string | null,
  lookUp: (name: string) => Promise<PageLookup<Value>>,
  decide: (value: Value | null) => PageRoute,
): Promise<PageRoute> {
  if (name === null) return { kind: 'unknown' };
  const found = await lookUp(name).catch(() => null);
  if (found === null) return decide(null);
  if (found.kind === 'limited') return found;
  return found.kind === 'found' ? decide(found.value) : { kind: 'unknown' };
}

const MAX_FOUND = 50_000;
const FOUND_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * Adds a cache to a function that finds pages by name. A found page is cached for ten minutes, so that a request for a
 * cached page needs no database query. Unknown names are not cached, because clients can invent any number of names.
 *
 * @param find Finds a page by its name; null for an unknown name.
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function cacheFound<Value>(
  find: (name: string) => Promise<Value | null>,
  now: () => number = Date.now,
): (name: string) => Promise<Value | null> {
  const cached = new LRUCache<string, { readonly value: Value; readonly expiresAt: number }>({
    max: MAX_FOUND,
  });
  return async (name) => {
    const hit = cached.get(name);
    if (hit !== undefined && hit.expiresAt > now()) return hit.value;
    cached.delete(name);
    const value = await find(name);
    if (value !== null) cached.set(name, { value, expiresAt: now() + FOUND_LIFETIME_MS });
    return value;
  };
}
