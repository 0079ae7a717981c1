import type { Ecosystem, EcosystemDay, EndpointDay, Snapshot } from '@touchstone/store';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { PAGE_LIFETIME_S } from './page-lifetime.ts';
import { getPublicStore } from '../../platform/database/databases.ts';

/** Number of endpoints on the leaderboard. */
const LEADERBOARD_SIZE = 25;

/**
 * Returns the snapshot of an endpoint; null if there is none.
 *
 * Each function of this module caches its result under a tag. The result expires after an hour, or earlier if
 * `revalidateTag` expires the tag. A page has the tags of the data that it shows. If the database is unavailable, the
 * functions reject and cache nothing.
 */
export const loadSnapshot = cache((endpointId: string): Promise<Snapshot | null> =>
  unstable_cache(() => getPublicStore().readSnapshot(endpointId), ['endpoint', endpointId], {
    tags: [`endpoint:${endpointId}`],
    revalidate: PAGE_LIFETIME_S,
  })(),
);

/** Returns the days of an endpoint that have probes, at most 30, oldest first. */
export const loadEndpointDays = cache((endpointId: string): Promise<readonly EndpointDay[]> =>
  unstable_cache(() => getPublicStore().readEndpointDays(endpointId), ['endpoint-days', endpointId], {
    tags: [`endpoint:${endpointId}`],
    revalidate: PAGE_LIFETIME_S,
  })(),
);

/** Returns the endpoints of the leaderboard, best first. */
export const loadLeaderboard = cache(
  unstable_cache(() => getPublicStore().readLeaderboard(LEADERBOARD_SIZE), ['leaderboard'], {
    tags: ['leaderboard'],
    revalidate: PAGE_LIFETIME_S,
  }),
);

/** Returns the statistics of all endpoints. */
export const loadEcosystem = cache(
  unstable_cache((): Promise<Ecosystem> => getPublicStore().readEcosystem(), ['ecosystem'], {
    tags: ['ecosystem'],
    revalidate: PAGE_LIFETIME_S,
  }),
);

/** Returns the figures of all endpoints for the latest recorded days, oldest first. */
export const loadEcosystemDays = cache((days: number): Promise<readonly EcosystemDay[]> =>
  unstable_cache(() => getPublicStore().readEcosystemDays(days), ['ecosystem-days', String(days)], {
    tags: ['ecosystem'],
    revalidate: PAGE_LIFETIME_S,
  })(),
);
