import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import type { ExploreListing, ExploreProperty, ExploreQuery, ExploreSort } from '@touchstone/store';
import { isTag, normalizeTag } from '@touchstone/x402/tags';
import { MAX_QUERY_LENGTH } from '@touchstone/ui';
import { ParamReader, normalizeQuery } from '../../page-parts/param-reader.ts';
import { isHost } from '../../serving/known-pages/page-paths.ts';

/** Search text, filters, order and cursor of the explore page. The URL contains these parameters. */
export type ExploreParams = Omit<ExploreQuery, 'limit' | 'hasCounts'>;

/** Parsed parameters of a URL, and the invalid values of the URL. */
export interface ParsedParams {
  readonly params: ExploreParams;
  /** Ignored values, such as `grade=Z`, from `ParamReader`. */
  readonly ignored: readonly string[];
}

/** Maximum number of networks in one filter. */
const MAX_NETWORKS = 20;

/** Orders of the page with their labels. The key is the value of the parameter `sort`. */
export const SORT_LABELS: Readonly<Record<ExploreSort, string>> = {
  relevance: 'Best match',
  score: 'Highest score',
  price: 'Lowest price',
  'price-desc': 'Highest price',
  uptime: 'Highest uptime',
  latency: 'Lowest latency',
  newest: 'Newest endpoint',
  changed: 'Latest change',
};

/** Names of the properties in the filter. The key is the value of the parameter `property`. */
export const PROPERTY_LABELS: Readonly<Record<ExploreProperty, string>> = {
  reachable: 'Reachable',
  compliant: 'Compliant',
  delivered: 'Delivery verified',
};

/** Properties in the order of the form. */
export const PROPERTIES: readonly ExploreProperty[] = ['reachable', 'compliant', 'delivered'];

/** Value of the parameter `status` for endpoints with every listing. */
const EVERY_LISTING = 'all';

/** Values of the parameter `status` with their labels. Without the parameter, the page has the listed endpoints. */
export const LISTING_LABELS: Readonly<Record<ExploreListing | typeof EVERY_LISTING, string>> = {
  listed: 'Listed',
  delisted: 'Delisted',
  adopted: 'Added by a report',
  all: 'All endpoints',
};

/** Returns the value of the parameter `status` for a filter by listing. */
export function toListingValue(status: ExploreParams['status']): keyof typeof LISTING_LABELS {
  return status ?? EVERY_LISTING;
}

/** Parameters of the page without filters: all endpoints that a directory lists. */
export const NO_PARAMS: ExploreParams = {
  text: '',
  networks: [],
  grades: [],
  recommendations: [],
  properties: [],
  minPriceUsd: null,
  maxPriceUsd: null,
  host: null,
  tag: null,
  status: 'listed',
  sort: 'score',
  after: null,
};

/** Returns the order of a page whose URL names no order. */
export function getDefaultSort(text: string): ExploreSort {
  return text === '' ? 'score' : 'relevance';
}

/**
 * Parses the parameters of a URL or of the form. A list is separated by commas or repeats its parameter. Empty values
 * and unknown parameters have no effect; invalid values are ignored and returned.
 */
export function parseExploreParams(search: URLSearchParams): ParsedParams {
  const reader = new ParamReader(search);
  const text = reader.readOne('q', parseText) ?? '';
  const params: ExploreParams = {
    text,
    networks: reader.readList('network', isNetwork).sort().slice(0, MAX_NETWORKS),
    grades: readKnown(reader, 'grade', GRADES),
    recommendations: readKnown(reader, 'recommendation', RECOMMENDATIONS),
    properties: readKnown(reader, 'property', PROPERTIES),
    minPriceUsd: reader.readOne('min_price', normalizePrice),
    maxPriceUsd: reader.readOne('max_price', normalizePrice),
    host: reader.readOne('host', (value) => accept(value.toLowerCase(), isHost)),
    tag: reader.readOne('tag', (value) => accept(normalizeTag(value), isTag)),
    status: toStatus(reader.readOne('status', (value) => (isListing(value) ? value : null))),
    sort: selectSort(reader.readOne('sort', parseSort), text),
    after: reader.readOne('after', (value) => accept(value, isCursor)),
  };
  return { params, ignored: reader.ignored };
}

/**
 * Formats parameters as the query of a URL, without the question mark. The order of the parameters is fixed, so equal
 * parameters have one URL.
 */
export function formatExploreParams(params: ExploreParams): string {
  const pairs: readonly (readonly [name: string, value: string | null])[] = [
    ['q', params.text],
    ['network', params.networks.join(',')],
    ['grade', params.grades.join(',')],
    ['recommendation', params.recommendations.join(',')],
    ['property', params.properties.join(',')],
    ['min_price', params.minPriceUsd],
    ['max_price', params.maxPriceUsd],
    ['host', params.host],
    ['tag', params.tag],
    ['status', params.status === NO_PARAMS.status ? null : toListingValue(params.status)],
    ['sort', params.sort === getDefaultSort(params.text) ? null : params.sort],
    ['after', params.after],
  ];
  return pairs
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}=${encodeValue(value)}`]))
    .join('&');
}

/** Returns the URL of the page with the given parameters, relative to the site. */
export function toExploreUrl(params: ExploreParams): string {
  const query = formatExploreParams(params);
  return query === '' ? '/explore' : `/explore?${query}`;
}

/** Encodes a value like a form does. Commas, colons and slashes stay readable (RFC 3986, section 3.4). */
function encodeValue(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/');
}

const isSort = (value: string): value is ExploreSort => Object.hasOwn(SORT_LABELS, value);

const accept = (value: string, isValid: (value: string) => boolean): string | null =>
  isValid(value) ? value : null;
const parseSort = (value: string): ExploreSort | null => (isSort(value) ? value : null);
const isListing = (value: string): value is keyof typeof LISTING_LABELS =>
  Object.hasOwn(LISTING_LABELS, value);
const toStatus = (value: keyof typeof LISTING_LABELS | null): ExploreParams['status'] =>
  value === EVERY_LISTING ? null : (value ?? NO_PARAMS.status);

/** Returns the order of the page. Without a search text, the order by score replaces the order by relevance. */
function selectSort(sort: ExploreSort | null, text: string): ExploreSort {
  return sort === null || (sort === 'relevance' && text === '') ? getDefaultSort(text) : sort;
}

/** Returns the text of a search; null if the text is too long or has no visible character. */
function parseText(value: string): string | null {
  const text = normalizeQuery(value);
  return text === '' || text.length > MAX_QUERY_LENGTH ? null : text;
}

/** Reads a list of known values. The values are returned in their fixed order, not in the order of the URL. */
function readKnown<Value extends string>(
  reader: ParamReader,
  name: string,
  all: readonly Value[],
): readonly Value[] {
  const chosen = reader.readList(name, (value): value is Value => all.some((each) => each === value));
  return all.filter((value) => chosen.includes(value));
}

/** Id of a network in CAIP-2. */
type NetworkId = `${string}:${string}`;

/** Returns true for a network id of the form that CAIP-2 defines. */
function isNetwork(value: string): value is NetworkId {
  return /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(value);
}

/** Returns true if a text has the format of a page cursor. */
function isCursor(value: string): boolean {
  return /^[\w-]{1,512}$/.test(value);
}

/**
 * Returns a price in US dollars without a dollar sign and without extra zeros; null for a text that is not a price. A
 * price has at most nine digits before and six digits after the decimal point.
 */
export function normalizePrice(value: string): string | null {
  const parts = /^\$?(\d{0,9})(?:\.(\d{0,6}))?$/.exec(value);
  if (parts === null) return null;
  const [, whole = '', fraction = ''] = parts;
  if (whole === '' && fraction === '') return null;
  const digits = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+/, '') || '0'}${digits === '' ? '' : `.${digits}`}`;
}
