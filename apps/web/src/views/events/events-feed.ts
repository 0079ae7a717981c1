import { ECOSYSTEM_EVENTS } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import { Feed } from 'feed';
import { toEventsUrl, toFeedPath, type EventFilter, type FeedFormat } from './event-params.ts';

/** Names of all kinds of events, such as "Changes of payTo, price spikes and outages". */
const EVENT_LIST = new Intl.ListFormat('en-GB')
  .format(Object.values(ECOSYSTEM_EVENTS).map(({ plural }) => plural))
  .replace(/^./, (first) => first.toUpperCase());

/**
 * Update time of a feed without entries. Atom requires an update time, and a constant time keeps the text of the feed
 * unchanged.
 */
const NO_ENTRIES_MS = 0;

/** Filter and texts of a feed. */
export interface FeedSource {
  readonly filter: EventFilter;
  /** URL of the endpoint, or host, in the filter; null for a feed of all endpoints. */
  readonly subject: string | null;
  /** Origin of this service. */
  readonly origin: string;
}

/**
 * Creates a feed of events. The id of an entry never changes. Its publication time is the time of the first change
 * among the endpoints of an event, and its update time the time at which the last endpoint was added. The text depends
 * only on the arguments, so that its ETag is stable.
 */
export function createEventsFeed(
  format: FeedFormat,
  events: readonly EcosystemEvent[],
  source: FeedSource,
): string {
  return format === 'atom' ? createAtomFeed(events, source) : createJsonFeed(events, source);
}

function createAtomFeed(events: readonly EcosystemEvent[], source: FeedSource): string {
  const self = new URL(toFeedPath('atom', source.filter), source.origin).href;
  const feed = new Feed({
    id: self,
    ...describeFeed(source),
    feed: self,
    updated: new Date(Math.max(NO_ENTRIES_MS, ...events.map(({ updatedAt }) => Date.parse(updatedAt)))),
    author: { name: 'Touchstone', link: new URL('/', source.origin).href },
    generator: false,
  });
  for (const event of events) {
    const { title, text, ...entry } = toEntry(event, source.origin);
    feed.addItem({
      ...entry,
      title: escapeHtml(title),
      description: escapeHtml(text),
      date: new Date(event.updatedAt),
      published: new Date(event.at),
      category: [{ term: event.kind, name: ECOSYSTEM_EVENTS[event.kind].label }],
    });
  }
  return feed.atom1();
}

function createJsonFeed(events: readonly EcosystemEvent[], source: FeedSource): string {
  const { title, description, link } = describeFeed(source);
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: link,
    feed_url: new URL(toFeedPath('json', source.filter), source.origin).href,
    authors: [{ name: 'Touchstone', url: new URL('/', source.origin).href }],
    language: 'en',
    items: events.map((event) => {
      const entry = toEntry(event, source.origin);
      return {
        ...{ id: entry.id, url: entry.link, title: entry.title, content_text: entry.text },
        ...{ date_published: event.at, date_modified: event.updatedAt, tags: [event.kind] },
      };
    }),
  };
  return JSON.stringify(feed);
}

/** Returns the title, the description and the page of a feed. */
function describeFeed({ filter, subject, origin }: FeedSource) {
  const { kind } = filter;
  const what = kind === null ? 'events' : ECOSYSTEM_EVENTS[kind].label.toLowerCase();
  const where = subject === null ? 'x402 endpoints' : toPlainText(subject, Number.POSITIVE_INFINITY);
  return {
    title: `Touchstone: ${what} of ${where}`,
    description:
      kind === null ? `${EVENT_LIST} of monitored x402 endpoints.` : ECOSYSTEM_EVENTS[kind].meaning,
    link: new URL(toEventsUrl(filter), origin).href,
  };
}

/** Returns the id, the link and the plain texts of an entry. */
function toEntry(event: EcosystemEvent, origin: string) {
  const toText = (text: string): string => toPlainText(text, Number.POSITIVE_INFINITY);
  return {
    id: new URL(`/events#${toEventAnchor(event)}`, origin).href,
    link: new URL(`/endpoint/${event.slug}`, origin).href,
    title: toText(`${ECOSYSTEM_EVENTS[event.kind].label}: ${toTitleSubject(event)}`),
    text: toText(describeEvent(event)),
  };
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

/** Escapes plain text for an Atom text construct of type `html` (RFC 4287, section 3.1.1.2). */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
