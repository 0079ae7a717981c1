import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { leaderboard } from './data.ts';
import { PAGE_LIFETIME_S } from './page-lifetime.ts';
import { publicStore } from './public-data.ts';

/**
 * The endpoint that the examples of the API ask about, so that they run as they stand: the best of the leaderboard, or
 * while that is empty, as it is in a service's first days, any endpoint that is listed and was probed.
 *
 * @returns undefined when there is none, or when the database cannot be reached: the examples of the contract, which
 * need neither, hold then.
 */
export async function sampleResource(): Promise<string | undefined> {
  try {
    const best = (await leaderboard()).find(({ templated }) => !templated);
    return best?.resource ?? (await probedResource()) ?? undefined;
  } catch {
    return undefined;
  }
}

const probedResource = cache(
  unstable_cache(() => publicStore().bestProbedResource(), ['probed-resource'], {
    tags: ['leaderboard'],
    revalidate: PAGE_LIFETIME_S,
  }),
);
