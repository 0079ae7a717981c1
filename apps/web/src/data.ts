import type { Ecosystem, Snapshot } from '@touchstone/store';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { PAGE_LIFETIME_S } from './page-lifetime.ts';
import { publicStore } from './public-data.ts';

const LEADERBOARD_LENGTH = 25;

/**
 * The data of the pages. Each is kept under a tag until `revalidateTag` names it, and an hour at most; a page takes
 * over the tags of the data it was made from. Each rejects when the database cannot be reached, and then nothing is
 * kept.
 */
export const endpointSnapshot = cache((endpointId: string): Promise<Snapshot | null> =>
  unstable_cache(() => publicStore().snapshot(endpointId), ['endpoint', endpointId], {
    tags: [`endpoint:${endpointId}`],
    revalidate: PAGE_LIFETIME_S,
  })(),
);

/** The best 25 endpoints, best first. */
export const leaderboard = cache(
  unstable_cache(() => publicStore().leaderboard(LEADERBOARD_LENGTH), ['leaderboard'], {
    tags: ['leaderboard'],
    revalidate: PAGE_LIFETIME_S,
  }),
);

export const ecosystem = cache(
  unstable_cache((): Promise<Ecosystem> => publicStore().ecosystem(), ['ecosystem'], {
    tags: ['ecosystem'],
    revalidate: PAGE_LIFETIME_S,
  }),
);
