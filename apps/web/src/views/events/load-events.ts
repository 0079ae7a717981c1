import type { EcosystemEvent, EcosystemEventCounts, EcosystemEventPage } from '@touchstone/store';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/databases.ts';
import { parseEndpointId, toProviderPath } from '../../serving/known-pages/page-paths.ts';
import { loadSnapshot, readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { formatEventParams, NEWEST_EVENTS, type EventFilter, type EventParams } from './event-params.ts';

/** Number of events on one page. */
const EVENTS_PER_PAGE = 50;
/** Number of entries in a feed. The store returns at most this number. */
const EVENTS_IN_FEED = 100;

/** Returns the newest events of all kinds, with the cache tag `events`. */
export const loadFirstEvents = cache(() =>
  readThroughCache(['events'], 'events', () => readEvents(NEWEST_EVENTS, EVENTS_PER_PAGE)),
);

/**
 * Returns the newest events of a filter, for a feed. Feeds of single hosts and endpoints are not stored, because there
 * are as many as pages and few of them have readers.
 */
export function loadFeedEvents(filter: EventFilter): Promise<readonly EcosystemEvent[]> {
  const params = { ...filter, before: null };
  const tag = filter.endpoint === null && filter.host === null ? 'events' : UNSTORED_TAG;
  return readThroughCache(['events-feed', formatEventParams(params)], tag, async () => {
    const { events } = await readEvents(params, EVENTS_IN_FEED);
    return events;
  });
}

/**
 * Returns one page of events. The result and the page that shows it are never stored, because clients can send any
 * number of cursors. Without `readThroughCache`, Next would store the database response in the page cache.
 */
export function loadEventPage(params: EventParams): Promise<EcosystemEventPage> {
  return readThroughCache(['events', formatEventParams(params)], UNSTORED_TAG, () =>
    readEvents(params, EVENTS_PER_PAGE),
  );
}

/** Returns the number of the events of an endpoint, of a host or of all endpoints, by kind. */
export function loadEventCounts(filter: EventFilter): Promise<EcosystemEventCounts> {
  const subject = { ...filter, kind: null, before: null };
  const tag = filter.endpoint === null && filter.host === null ? 'events' : UNSTORED_TAG;
  return readThroughCache(['event-counts', formatEventParams(subject)], tag, () =>
    getPublicStore().countEcosystemEvents(toSubject(filter)),
  );
}

/** Endpoint or host of the events on a page. */
export interface EventSubject {
  readonly kind: 'endpoint' | 'host';
  /** URL of the endpoint without `https://`, or the host. */
  readonly name: string;
  /** Path of the page of the endpoint or the host. */
  readonly path: string;
}

/** Returns the endpoint or the host of a filter; null for a filter without both; undefined for an unknown endpoint. */
export async function loadEventSubject({
  endpoint,
  host,
}: EventFilter): Promise<EventSubject | null | undefined> {
  if (endpoint !== null) {
    const snapshot = await loadSnapshot(parseEndpointId(endpoint) ?? '');
    if (snapshot === null) return undefined;
    const name = snapshot.resource.replace(/^https:\/\//, '');
    return { kind: 'endpoint', name, path: `/endpoint/${snapshot.slug}` };
  }
  return host === null ? null : { kind: 'host', name: host, path: toProviderPath(host) };
}

function readEvents(params: EventParams, limit: number): Promise<EcosystemEventPage> {
  const { kind, before } = params;
  const kinds = kind === null ? [] : [kind];
  return getPublicStore().readEcosystemEvents({ ...toSubject(params), kinds, before, limit });
}

function toSubject({ endpoint, host }: EventFilter) {
  return { host, endpointId: endpoint === null ? null : parseEndpointId(endpoint) };
}
