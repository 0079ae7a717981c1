import { InvalidCursorError } from '@touchstone/store';
import { TRPCError } from '@trpc/server';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { getPublicStore } from '../database/public-store.ts';
import { PAGE_LIFETIME_S } from '../page-cache/page-lifetime.ts';
import { UNSTORED_TAG } from '../page-cache/unstored-tag.ts';
import { createCaller } from '../trpc/app-router.ts';
import type { ExploreResult } from '../trpc/explore-router.ts';

/**
 * Returns the endpoints of a page. Null means that the cursor in the parameters is not valid. A result for parameters
 * and its page are never stored, because clients can send any number of them. Without `unstable_cache`, Next would
 * store the database response in the page cache.
 *
 * @param query Parameters as formatted by `formatExploreParams`; empty for the page without parameters.
 */
export const loadExplore = cache((query: string): Promise<ExploreResult | null> =>
  unstable_cache(() => readExplore(query), ['explore', query], {
    tags: [query === '' ? 'leaderboard' : UNSTORED_TAG],
    revalidate: PAGE_LIFETIME_S,
  })(),
);

async function readExplore(query: string): Promise<ExploreResult | null> {
  try {
    return await createCaller({ store: getPublicStore() }).explore.list({ params: query });
  } catch (error) {
    if (error instanceof TRPCError && error.cause instanceof InvalidCursorError) return null;
    throw error;
  }
}
