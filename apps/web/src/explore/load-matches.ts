import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { getPublicStore } from '../database/public-store.ts';
import { PAGE_LIFETIME_S } from '../page-cache/page-lifetime.ts';
import { UNSTORED_TAG } from '../page-cache/unstored-tag.ts';
import { createCaller } from '../trpc/app-router.ts';
import type { EndpointMatch } from '../trpc/search-router.ts';
import { MAX_MATCHES } from './search-query.ts';

/**
 * Returns the endpoints that match a search query, best first. The result and the page that shows it are never stored,
 * because clients can send any number of queries. Without `unstable_cache`, Next would store the database response in
 * the page cache.
 *
 * @param query Normalized query of 1 to 200 characters.
 */
export const loadMatches = cache((query: string): Promise<readonly EndpointMatch[]> =>
  unstable_cache(
    () => createCaller({ store: getPublicStore() }).search.endpoints({ query, limit: MAX_MATCHES }),
    ['search', query],
    { tags: [UNSTORED_TAG], revalidate: PAGE_LIFETIME_S },
  )(),
);
