import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { loadLeaderboard } from '../../serving/page-cache/page-data.ts';
import { PAGE_LIFETIME_S } from '../../serving/page-cache/page-lifetime.ts';
import { getPublicStore } from '../../platform/database/databases.ts';

/**
 * Returns the URL of an endpoint of the catalog for the API examples, so that readers can run the examples unchanged.
 * The endpoint is the first one of the leaderboard. While the leaderboard is empty, it is the best listed and probed
 * endpoint.
 *
 * @returns Null if there is no such endpoint, and undefined if the database could not be read. The examples then use the
 * example endpoint of the package `contract`.
 */
export async function findSampleResource(): Promise<string | null | undefined> {
  try {
    const best = (await loadLeaderboard()).find(({ templated }) => !templated);
    return best?.resource ?? (await loadProbedResource());
  } catch {
    return undefined;
  }
}

const loadProbedResource = cache(
  unstable_cache(() => getPublicStore().findBestProbedResource(), ['probed-resource'], {
    tags: ['leaderboard'],
    revalidate: PAGE_LIFETIME_S,
  }),
);
