import type { EcosystemEvent, EcosystemEventPage } from '@touchstone/store';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/databases.ts';
import { PAGE_LIFETIME_S, UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import type { EventParams } from './event-params.ts';

/** Number of events on one page. */
const EVENTS_PER_PAGE = 50;
/** Number of entries in a feed. It is the maximum of the store. */
const EVENTS_IN_FEED = 100;

/** Returns the newest events of all kinds under the tag `events`. */
export const loadFirstEvents = cache(
  unstable_cache(
    (): Promise<EcosystemEventPage> =>
      getPublicStore().readEcosystemEvents({ kinds: [], before: null, limit: EVENTS_PER_PAGE }),
    ['events'],
    { tags: ['events'], revalidate: PAGE_LIFETIME_S },
  ),
);

/** Returns the newest events of one kind, or of all kinds, for a feed. */
export function loadFeedEvents(kind: EventParams['kind']): Promise<readonly EcosystemEvent[]> {
  return unstable_cache(
    async () => {
      const kinds = kind === null ? [] : [kind];
      return (await getPublicStore().readEcosystemEvents({ kinds, before: null, limit: EVENTS_IN_FEED }))
        .events;
    },
    ['events-feed', kind ?? ''],
    { tags: ['events'], revalidate: PAGE_LIFETIME_S },
  )();
}

/**
 * Returns one page of events of one kind or of all kinds. The result and the page that shows it are never stored,
 * because clients can send any number of cursors. Without `unstable_cache`, Next would store the database response in
 * the page cache.
 */
export const loadEventPage = cache(
  (kind: EventParams['kind'], before: EventParams['before']): Promise<EcosystemEventPage> =>
    unstable_cache(
      () =>
        getPublicStore().readEcosystemEvents({
          kinds: kind === null ? [] : [kind],
          before,
          limit: EVENTS_PER_PAGE,
        }),
      ['events', kind ?? '', before ?? ''],
      { tags: [UNSTORED_TAG], revalidate: PAGE_LIFETIME_S },
    )(),
);
