import { ECOSYSTEM_EVENTS, type EcosystemEventKind } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import { Feed } from 'feed';
import { toEventsUrl } from './event-params.ts';

/** Path of the Atom feed of all kinds of events. */
export const EVENTS_FEED_PATH = '/events.atom';
/** Media type of an Atom feed (RFC 4287, section 7). */
export const ATOM_TYPE = 'application/atom+xml';

/** Names of all kinds of events, such as "Changes of payTo, price spikes and outages". */
const EVENT_LIST = new Intl.ListFormat('en-GB')
  .format(Object.values(ECOSYSTEM_EVENTS).map(({ plural }) => plural))
  .replace(/^./, (first) => first.toUpperCase());

/**
 * Update time of a feed without entries. Atom requires an update time, and a constant time keeps the text of the feed
 * unchanged.
 */
const NO_ENTRIES_MS = 0;

/**
 * Returns the path of an Atom feed.
 *
 * @param kind Kind of the events in the feed; null for all kinds.
 */
export function toFeedPath(kind: EcosystemEventKind | null): string {
  return kind === null ? EVENTS_FEED_PATH : `${EVENTS_FEED_PATH}?kind=${kind}`;
}

/**
 * Creates an Atom feed of events. The id of an entry never changes. `published` is the time of the first change among
 * the endpoints of an event. `updated` is the time at which the last endpoint was added. The text depends only on the arguments, so that its ETag is stable.
 *
 * @param feed.kind Kind of the events; null for all kinds.
 * @param feed.origin Origin of this service.
 */
export function createEventsFeed(
  events: readonly EcosystemEvent[],
  { kind, origin }: { readonly kind: EcosystemEventKind | null; readonly origin: string },
): string {
  const toUrl = (path: string): string => new URL(path, origin).href;
  const feed = new Feed({
    id: toUrl(toFeedPath(kind)),
    title: `Touchstone: ${kind === null ? 'events' : ECOSYSTEM_EVENTS[kind].label.toLowerCase()} of x402 endpoints`,
    description:
      kind === null ? `${EVENT_LIST} of monitored x402 endpoints.` : ECOSYSTEM_EVENTS[kind].meaning,
    link: toUrl(toEventsUrl({ kind, before: null })),
    feed: toUrl(toFeedPath(kind)),
    updated: new Date(Math.max(NO_ENTRIES_MS, ...events.map(({ updatedAt }) => Date.parse(updatedAt)))),
    author: { name: 'Touchstone', link: toUrl('/') },
    generator: false,
  });
  for (const event of events) {
    const { label } = ECOSYSTEM_EVENTS[event.kind];
    feed.addItem({
      id: toUrl(`/events#${toEventAnchor(event)}`),
      title: toHtml(`${label}: ${toTitleSubject(event)}`),
      description: toHtml(describeEvent(event)),
      link: toUrl(`/endpoint/${event.slug}`),
      date: new Date(event.updatedAt),
      published: new Date(event.at),
      category: [{ term: event.kind, name: label }],
    });
  }
  return feed.atom1();
}

/** Returns the id of the HTML element of an event on the events page. */
export function toEventAnchor({ id }: Pick<EcosystemEvent, 'id'>): string {
  return `event-${id}`;
}

function toTitleSubject({ endpoints, host, resource }: EcosystemEvent): string {
  return endpoints === 1 ? resource : `${String(endpoints)} endpoints of ${host}`;
}

function describeEvent({ kind, endpoints, host, resource }: EcosystemEvent): string {
  const { sentence, predicate } = ECOSYSTEM_EVENTS[kind];
  return endpoints === 1
    ? sentence
    : `${String(endpoints)} endpoints of ${host} ${predicate} One of them is ${resource}.`;
}

/** Escapes untrusted text for an Atom text construct of type `html` (RFC 4287, section 3.1.1.2). */
function toHtml(text: string): string {
  return toPlainText(text, Number.POSITIVE_INFINITY)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
