import { ECOSYSTEM_EVENT_KINDS, type EcosystemEventKind } from '@touchstone/contract';
import { isEventCursor } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';

/** Filter and position of the events page, as its URL contains them. */
export interface EventParams {
  /** Kind of the events; null for all kinds. */
  readonly kind: EcosystemEventKind | null;
  /** Cursor of the previous page; null for the newest events. */
  readonly before: string | null;
}

/** Parameters of a URL, and its values that are not valid. */
export interface ParsedEventParams {
  readonly params: EventParams;
  /** Ignored values, such as `kind=Z`. At most one for each parameter, each cut to a short text. */
  readonly ignored: readonly string[];
}

/** Maximum length of an ignored value on the page, in characters. */
const MAX_IGNORED_LENGTH = 60;

/** Parameters of the page with the newest events of all kinds. */
export const NEWEST_EVENTS: EventParams = { kind: null, before: null };

/**
 * Parses the parameters of a URL. Empty values and unknown parameters have no effect; invalid values are ignored and
 * returned.
 */
export function parseEventParams(search: URLSearchParams): ParsedEventParams {
  const ignored: string[] = [];
  const read = <Value extends string>(name: string, isValid: (value: string) => value is Value) => {
    const value = search.get(name) ?? '';
    if (value === '') return null;
    if (isValid(value)) return value;
    ignored.push(toPlainText(`${name}=${value.slice(0, 2 * MAX_IGNORED_LENGTH)}`, MAX_IGNORED_LENGTH));
    return null;
  };
  return { params: { kind: read('kind', isKind), before: read('before', isCursor) }, ignored };
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

/** Separator between the query and the ignored values. None of them contains a line break. */
const SEPARATOR = '\n';

/** Encodes parsed parameters as one path segment of bounded length. */
export function encodeEventParams({ params, ignored }: ParsedEventParams): string {
  return Buffer.from([formatEventParams(params), ...ignored].join(SEPARATOR), 'utf8').toString('base64url');
}

/** Decodes a path segment from `encodeEventParams`. */
export function decodeEventParams(segment: string): ParsedEventParams {
  const [query = '', ...ignored] = Buffer.from(segment, 'base64url').toString('utf8').split(SEPARATOR);
  return { params: parseEventParams(new URLSearchParams(query)).params, ignored };
}

const isKind = (value: string): value is EcosystemEventKind =>
  (ECOSYSTEM_EVENT_KINDS as readonly string[]).includes(value);
const isCursor = (value: string): value is string => isEventCursor(value);
