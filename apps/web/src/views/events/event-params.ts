import { ECOSYSTEM_EVENT_KINDS, type EcosystemEventKind } from '@touchstone/contract';
import { isEventCursor } from '@touchstone/store';
import { ParamReader } from '../../page-parts/param-reader.ts';
import { isHost, parseEndpointId } from '../../serving/known-pages/page-paths.ts';
import { decodePageParams } from '../../serving/route-page.ts';

/** Filter and cursor of the events page. The URL contains these parameters. */
export interface EventParams {
  /** Kind of the events; null for all kinds. */
  readonly kind: EcosystemEventKind | null;
  /** Slug of an endpoint with the events; null for the events of all endpoints. */
  readonly endpoint: string | null;
  /** Host of the events, in lower case; null for all hosts and beside `endpoint`. */
  readonly host: string | null;
  /** Cursor of the previous page, or the id of the first event; null for the newest events. */
  readonly before: string | null;
}

/** Filter of the events page and of a feed. */
export type EventFilter = Omit<EventParams, 'before'>;

/** Format of a feed: Atom (RFC 4287), or JSON Feed 1.1. The path of a feed ends with the name of its format. */
export type FeedFormat = 'atom' | 'json';

/** Media type of a feed by its format. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** Parsed parameters of a URL, and the invalid values of the URL. */
export interface ParsedEventParams {
  readonly params: EventParams;
  /** Ignored values, such as `kind=Z`, from `ParamReader`. */
  readonly ignored: readonly string[];
}

/** Parameters of the page with the newest events of all kinds. */
export const NEWEST_EVENTS: EventParams = { kind: null, endpoint: null, host: null, before: null };

/**
 * Parses the parameters of a URL. Empty values and unknown parameters have no effect; invalid values are ignored and
 * returned.
 */
export function parseEventParams(search: URLSearchParams): ParsedEventParams {
  const reader = new ParamReader(search);
  const endpoint = reader.readOne('endpoint', (value) => (parseEndpointId(value) === null ? null : value));
  const params = {
    endpoint,
    host: endpoint === null ? reader.readOne('host', normalizeHost) : null,
    kind: reader.readOne('kind', (value) => ECOSYSTEM_EVENT_KINDS.find((kind) => kind === value) ?? null),
    before: reader.readOne('before', (value) => (isEventCursor(value) ? value : null)),
  };
  return { params, ignored: reader.ignored };
}

/** Formats parameters as the query of a URL, without the question mark. Equal parameters have one query. */
export function formatEventParams({ kind, endpoint, host, before }: EventParams): string {
  const pairs = [
    ...(endpoint === null ? [] : [`endpoint=${endpoint}`]),
    ...(host === null ? [] : [`host=${encodeURIComponent(host)}`]),
    ...(kind === null ? [] : [`kind=${kind}`]),
    ...(before === null ? [] : [`before=${before}`]),
  ];
  return pairs.join('&');
}

/** Returns the URL of the page with the given parameters, relative to the site. A parameter is null by default. */
export function toEventsUrl(params: Partial<EventParams>): string {
  const query = formatEventParams({ ...NEWEST_EVENTS, ...params });
  return query === '' ? '/events' : `/events?${query}`;
}

/** Returns the path of the feed with the newest events of the given filter. A parameter is null by default. */
export function toFeedPath(format: FeedFormat, filter: Partial<EventFilter> = {}): string {
  const query = formatEventParams({ ...NEWEST_EVENTS, ...filter, before: null });
  return query === '' ? `/events.${format}` : `/events.${format}?${query}`;
}

function normalizeHost(value: string): string | null {
  const host = value.toLowerCase();
  return isHost(host) ? host : null;
}

/** Decodes the path segment of a page with parameters. */
export function decodeEventParams(segment: string): ParsedEventParams {
  const { query, ignored } = decodePageParams(segment);
  return { params: parseEventParams(new URLSearchParams(query)).params, ignored };
}

/** Returns the paths of the feeds with the newest events of a filter, by media type, for the metadata of a page. */
export function listFeeds(filter: Partial<EventFilter> = {}): Readonly<Record<string, string>> {
  return {
    [FEED_TYPES.atom]: toFeedPath('atom', filter),
    [FEED_TYPES.json]: toFeedPath('json', filter),
  };
}
