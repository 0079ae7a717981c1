import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { loadLeaderboard } from '../page-cache/page-data.ts';
import { PAGE_LIFETIME_S } from '../page-cache/page-lifetime.ts';
import { getPublicStore } from '../database/public-store.ts';

/**
 * The endpoint that the examples of the API ask about, so that they run as they stand: the best of the leaderboard, or
 * while that is empty, as it is in a service's first days, any endpoint that is listed and was probed.
 *
 * @returns undefined when there is none, or when the database cannot be reached: the examples of the contract, which
 * need neither, hold then.
 */
export async function findSampleResource(): Promise<string | undefined> {
  try {
    const best = (await loadLeaderboard()).find(({ templated }) => !templated);
    return best?.resource ?? (await loadProbedResource()) ?? undefined;
  } catch {
    return undefined;
  }
}

const loadProbedResource = cache(
  unstable_cache(() => getPublicStore().bestProbedResource(), ['probed-resource'], {
    tags: ['leaderboard'],
    revalidate: PAGE_LIFETIME_S,
  }),
);
