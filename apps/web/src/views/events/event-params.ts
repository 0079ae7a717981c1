import { ECOSYSTEM_EVENT_KINDS, type EcosystemEventKind } from '@touchstone/contract';
import { isEventCursor } from '@touchstone/store';
import { ParamReader } from '../../page-parts/param-reader.ts';
import { decodePageParams } from '../../serving/route-page.ts';

/** Filter and cursor of the events page. The URL contains these parameters. */
export interface EventParams {
  /** Kind of the events; null for all kinds. */
  readonly kind: EcosystemEventKind | null;
  /** Cursor of the previous page, or the id of the first event; null for the newest events. */
  readonly before: string | null;
}

/** Parsed parameters of a URL, and the invalid values of the URL. */
export interface ParsedEventParams {
  readonly params: EventParams;
  /** Ignored values, such as `kind=Z`, from `ParamReader`. */
  readonly ignored: readonly string[];
}

/** Parameters of the page with the newest events of all kinds. */
export const NEWEST_EVENTS: EventParams = { kind: null, before: null };

/**
 * Parses the parameters of a URL. Empty values and unknown parameters have no effect; invalid values are ignored and
 * returned.
 */
export function parseEventParams(search: URLSearchParams): ParsedEventParams {
  const reader = new ParamReader(search);
  const params = {
    kind: reader.readOne('kind', (value) => ECOSYSTEM_EVENT_KINDS.find((kind) => kind === value) ?? null),
    before: reader.readOne('before', (value) => (isEventCursor(value) ? value : null)),
  };
  return { params, ignored: reader.ignored };
}

/** Formats parameters as the query of a URL, without the question mark. Equal parameters have one query. */
export function formatEventParams({ kind, before }: EventParams): string {
  const pairs = [
    ...(kind === null ? [] : [`kind=${kind}`]),
    ...(before === null ? [] : [`before=${before}`]),
  ];
  return pairs.join('&');
}

/** Returns the URL of the page with the given parameters, relative to the site. */
export function toEventsUrl(params: EventParams): string {
  const query = formatEventParams(params);
  return query === '' ? '/events' : `/events?${query}`;
}

/** Decodes the path segment of a page with parameters. */
export function decodeEventParams(segment: string): ParsedEventParams {
  const { query, ignored } = decodePageParams(segment);
  return { params: parseEventParams(new URLSearchParams(query)).params, ignored };
}
