import type { EcosystemEvent, EcosystemEventPage } from '@touchstone/store';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/databases.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import type { EventParams } from './event-params.ts';

/** Number of events on one page. */
const EVENTS_PER_PAGE = 50;
/** Number of entries in a feed. The store returns at most this number. */
const EVENTS_IN_FEED = 100;

/** Returns the newest events of all kinds, with the cache tag `events`. */
export const loadFirstEvents = cache(() =>
  readThroughCache(['events'], 'events', () => readEvents(null, { before: null, limit: EVENTS_PER_PAGE })),
);

/** Returns the newest events of one kind, or of all kinds, for a feed. */
export function loadFeedEvents(kind: EventParams['kind']): Promise<readonly EcosystemEvent[]> {
  return readThroughCache(['events-feed', kind ?? ''], 'events', async () => {
    const { events } = await readEvents(kind, { before: null, limit: EVENTS_IN_FEED });
    return events;
  });
}

/**
 * Returns one page of events of one kind or of all kinds. The result and the page that shows it are never stored,
 * because clients can send any number of cursors. Without `readThroughCache`, Next would store the database response in
 * the page cache.
 */
export const loadEventPage = cache((kind: EventParams['kind'], before: EventParams['before']) =>
  readThroughCache(['events', kind ?? '', before ?? ''], UNSTORED_TAG, () =>
    readEvents(kind, { before, limit: EVENTS_PER_PAGE }),
  ),
);

function readEvents(
  kind: EventParams['kind'],
  range: { readonly before: string | null; readonly limit: number },
): Promise<EcosystemEventPage> {
  return getPublicStore().readEcosystemEvents({ kinds: kind === null ? [] : [kind], ...range });
}
