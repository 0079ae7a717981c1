import { MINUTE_MS } from '@touchstone/common';
import { LRUCache } from 'lru-cache';
import type { Limited, Lookup } from './page-guard.ts';
import { parseHost, toProviderPath } from './host-path.ts';

/** Decision on a request for the page of a provider, made before the page is rendered. */
export type ProviderRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'unknown' }
  | Limited;

const MAX_KNOWN_HOSTS = 50_000;
const KNOWN_HOST_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * Decides how to respond to a request for the page of a provider. Only a known host in lower case is served, so that no
 * page is rendered or cached for other names.
 *
 * @param name Untrusted name of the page: the last part of its path, percent-encoded.
 * @param lookUp Finds the host in the catalog. If this function fails, the decision is to
 * serve the page, because it may be cached. A page that is not cached then shows an error.
 */
export async function routeProviderPage(
  name: string,
  lookUp: (host: string) => Promise<Lookup<unknown>>,
): Promise<ProviderRoute> {
  const host = parseHost(name);
  if (host === null) return { kind: 'unknown' };
  const found = await lookUp(host).catch(() => null);
  if (found?.kind === 'limited') return found;
  if (found !== null && found.kind !== 'found') return { kind: 'unknown' };
  const path = toProviderPath(host);
  return path === `/provider/${name}` ? { kind: 'serve' } : { kind: 'redirect', path };
}

/**
 * Adds a cache to a function that finds hosts. A known host is cached for ten minutes, so that a request for a cached
 * page needs no database query. Unknown hosts are not cached, because clients can invent any number of hosts.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function cacheKnownHosts(
  isKnown: (host: string) => Promise<boolean>,
  now: () => number = Date.now,
): (host: string) => Promise<boolean> {
  /** Expiry times of known hosts in milliseconds since the epoch. */
  const expiryTimes = new LRUCache<string, number>({ max: MAX_KNOWN_HOSTS });
  return async (host) => {
    if ((expiryTimes.get(host) ?? 0) > now()) return true;
    expiryTimes.delete(host);
    const known = await isKnown(host);
    if (known) expiryTimes.set(host, now() + KNOWN_HOST_LIFETIME_MS);
    return known;
  };
}
