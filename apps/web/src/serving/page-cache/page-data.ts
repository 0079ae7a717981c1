import { LEADERBOARD_SIZE } from '@touchstone/contract';
import { MAX_CORRECTIONS } from '@touchstone/contract/operations/dispute/schemas';
import { toClaimTag, toEndpointTag } from '@touchstone/pipeline';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { PAGE_LIFETIME_S } from './page-lifetime.ts';
import { getPublicStore } from '../../platform/database/databases.ts';

/**
 * Reads data of pages through the page cache. The result expires after an hour, or earlier if `revalidateTag` expires one
 * of its tags. A page has the tags of the data that it shows. If the database is unavailable, the promise rejects and nothing is
 * cached.
 *
 * @param key Names that distinguish the data from all other data.
 */
export function readThroughCache<T>(
  key: readonly string[],
  tags: string | readonly string[],
  read: () => Promise<T>,
): Promise<T> {
  return unstable_cache(read, [...key], { tags: [tags].flat(), revalidate: PAGE_LIFETIME_S })();
}

/** Returns the snapshot of an endpoint; null if the endpoint has no snapshot. */
export const loadSnapshot = cache((endpointId: string) =>
  readThroughCache(['endpoint', endpointId], `endpoint:${endpointId}`, () =>
    getPublicStore().readSnapshot(endpointId),
  ),
);

/** Returns the days of an endpoint that have probes, at most 30, oldest first. */
export const loadEndpointDays = cache((endpointId: string) =>
  readThroughCache(['endpoint-days', endpointId], `endpoint:${endpointId}`, () =>
    getPublicStore().readEndpointDays(endpointId),
  ),
);

/** Maximum number of disputes on the page of an endpoint. */
const ENDPOINT_DISPUTES = 20;

/** Returns the newest disputes of the verdict on an endpoint. */
export const loadEndpointDisputes = cache((endpointId: string) =>
  readThroughCache(['endpoint-disputes', endpointId], `endpoint:${endpointId}`, () =>
    getPublicStore().readEndpointDisputes(endpointId, ENDPOINT_DISPUTES),
  ),
);

/** Returns the newest answered disputes and corrections of the operator. */
export const loadCorrections = cache(() =>
  readThroughCache(['corrections'], 'corrections', () => getPublicStore().readCorrections(MAX_CORRECTIONS)),
);

/** Maximum number of events on the page of an endpoint. */
const ENDPOINT_EVENTS = 10;

/** Returns the newest events of an endpoint, latest update first. */
export const loadEndpointEvents = cache((endpointId: string) =>
  readThroughCache(['endpoint-events', endpointId], `endpoint:${endpointId}`, async () => {
    const query = { kinds: [], endpointId, before: null, limit: ENDPOINT_EVENTS };
    return (await getPublicStore().readEcosystemEvents(query)).events;
  }),
);

/**
 * Returns what pages show of the provider of an endpoint; null for an unknown or removed endpoint.
 *
 * @param host Host of an endpoint with a snapshot; null without a snapshot. A change of its claim then expires the data.
 */
export const loadEndpointProvider = cache((endpointId: string, host: string | null) =>
  readThroughCache(
    ['endpoint-provider', endpointId, host ?? ''],
    [toEndpointTag(endpointId), ...(host === null ? [] : [toClaimTag(host)])],
    () => getPublicStore().readEndpointProvider(endpointId),
  ),
);

/** Returns the active claim of a host; null without a claim. */
export const loadHostClaim = cache((host: string) =>
  readThroughCache(['host-claim', host], toClaimTag(host), () => getPublicStore().readHostClaim(host)),
);

/** Returns the endpoints of the leaderboard, best first. */
export const loadLeaderboard = cache(() =>
  readThroughCache(['leaderboard'], 'leaderboard', () => getPublicStore().readLeaderboard(LEADERBOARD_SIZE)),
);

/** Returns the statistics of all endpoints. */
export const loadEcosystem = cache(() =>
  readThroughCache(['ecosystem'], 'ecosystem', () => getPublicStore().readEcosystem()),
);

/** Returns the tags that have a page, the tag with the most endpoints first. */
export const loadCategories = cache(() =>
  readThroughCache(['categories'], 'ecosystem', () => getPublicStore().readCategories()),
);

/** Returns the figures of all endpoints for the latest recorded days, oldest first. */
export const loadEcosystemDays = cache((days: number) =>
  readThroughCache(['ecosystem-days', String(days)], 'ecosystem', () =>
    getPublicStore().readEcosystemDays(days),
  ),
);
