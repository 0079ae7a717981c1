import { parseJson, toPercent } from '@touchstone/common';
import { GRADES, RECOMMENDATIONS, type Grade, type Recommendation } from '@touchstone/contract';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../client/values.ts';
import { addUptimeDays, type ListedSnapshot } from '../days/days.ts';
import { snapshotRowSchema } from '../snapshots/snapshot.ts';

/**
 * Orders of the explore page. `score`: the lower bound of the score range, best first. `relevance`: the match with the
 * text. `newest`: the latest first listing. `changed`: the latest change of the content.
 */
export const EXPLORE_SORTS = [
  'score',
  'relevance',
  'price',
  'price-desc',
  'uptime',
  'latency',
  'newest',
  'changed',
] as const;
export type ExploreSort = (typeof EXPLORE_SORTS)[number];

/** Measured properties: the latest probe succeeded; its challenge has no errors; the delivery state is `delivered`. */
export const EXPLORE_PROPERTIES = ['reachable', 'compliant', 'delivered'] as const;
export type ExploreProperty = (typeof EXPLORE_PROPERTIES)[number];

/** Listings of endpoints: a directory lists the endpoint; directories listed it before; only a paid report added it. */
export const EXPLORE_LISTINGS = ['listed', 'delisted', 'adopted'] as const;
export type ExploreListing = (typeof EXPLORE_LISTINGS)[number];

/** Maximum number of snapshots per page. */
const MAX_EXPLORE_LIMIT = 50;

/** Filters, order and page of the explore page. All filters apply together; each empty filter has no effect. */
export interface ExploreQuery {
  /** Words or a URL; empty without a text search. At most 200 characters of the words are used. */
  readonly text: string;
  /**
   * Ids of the endpoints that match the text, the most relevant first, at most 50; absent to match the words of the text.
   */
  readonly ids?: readonly string[];
  /**
   * CAIP-2 ids of networks. The endpoint accepts at least one of these networks. An empty list allows every network.
   */
  readonly networks: readonly string[];
  readonly grades: readonly Grade[];
  readonly recommendations: readonly Recommendation[];
  /** The endpoint has all of these properties. */
  readonly properties: readonly ExploreProperty[];
  /**
   * Bounds of the advertised price in US dollars as decimal strings. Price bounds exclude endpoints without a price.
   */
  readonly minPriceUsd: string | null;
  readonly maxPriceUsd: string | null;
  /** Exact host in lower case. */
  readonly host: string | null;
  /** Exact tag in lower case. */
  readonly tag: string | null;
  /** Listing of the endpoints; null for every listing. */
  readonly status: ExploreListing | null;
  /** Order of the results. Without a text, `relevance` is the same as `score`. */
  readonly sort: ExploreSort;
  /** Cursor `next` of the previous page with the same filters and order; null for the first page. */
  readonly after: string | null;
  /** Number of snapshots per page, 1 to 50. */
  readonly limit: number;
  /** True if the page has the numbers of endpoints for the choices of the filters; default false. */
  readonly hasCounts?: boolean;
}

/** One page of endpoints that match a query. */
export interface ExplorePage {
  readonly snapshots: readonly ListedSnapshot[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
  /**
   * Number of endpoints that match, at most 1,000. Null on all pages except the first page.
   */
  readonly total: number | null;
  /** True if more endpoints than `total` may match. */
  readonly isTotalMinimum: boolean;
  /** Numbers of endpoints for the choices of the filters; null if the query did not request them. */
  readonly counts: ChoiceCounts | null;
}

const count = z.number().int();

/** Null if too many endpoints would have to be counted; see `internal.count_choices`. */
const choiceCount = count.nullable();

const countsSchema = z.object({
  grades: z.partialRecord(z.enum(GRADES), choiceCount),
  recommendations: z.partialRecord(z.enum(RECOMMENDATIONS), choiceCount),
  properties: z.partialRecord(z.enum(EXPLORE_PROPERTIES), choiceCount),
  listings: z.partialRecord(z.enum(EXPLORE_LISTINGS), choiceCount),
  /** By CAIP-2 id: the 12 most frequent networks, and the networks of the query. */
  networks: z.record(z.string(), choiceCount),
  /** The 30 most frequent tags, and the tag of the query. Tags are claims of the providers. */
  tags: z.record(z.string(), choiceCount),
});

/**
 * Numbers of endpoints that a query would match if one filter had only the given value. Values without an endpoint are
 * left out.
 */
export type ChoiceCounts = z.infer<typeof countsSchema>;

const suggestionsSchema = z.object({
  endpoints: z.array(snapshotRowSchema),
  hosts: z.array(z.object({ host: z.string(), endpoints: count })),
  /** Tags are claims of the providers. */
  tags: z.array(z.object({ tag: z.string(), endpoints: count })),
});

/** Completions of a text that a person types: at most five endpoints, three hosts and three tags. */
export type Suggestions = z.infer<typeof suggestionsSchema>;

const providerRowSchema = z.object({
  host: z.string(),
  endpoints: count,
  /** Number of endpoints that a directory lists. */
  listed: count,
  /** Number of endpoints whose pages search engines may list; see `internal.is_indexable`. */
  indexable: count,
  grades: z.record(z.enum(GRADES), count),
  recommendations: z.record(z.enum(RECOMMENDATIONS), count),
  /**
   * Scored probes, and those that succeeded, on each UTC day with a scored probe, oldest first: of the 30 days that end
   * with the day of `computedAt`.
   */
  days: z.array(z.object({ day: z.iso.date(), scored: count, up: count })),
  /** Number of endpoints whose probes `days` contains: all endpoints, or a random sample of 200. */
  sampled: count,
  /** Number of endpoints whose latest probe failed. */
  failing: count,
  /** Lowest and highest advertised price of the listed endpoints in US dollars; null without a price. */
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  /** CAIP-2 ids of the networks of all payment options, the most frequent first. */
  networks: z.array(z.string()),
  /** Earliest time at which an endpoint was listed, in ISO 8601. */
  firstSeen: isoTimestampSchema,
  /** Latest values over all endpoints: time of the score computation, and time of the content change, in ISO 8601. */
  computedAt: isoTimestampSchema,
  contentChangedAt: isoTimestampSchema,
});

const providerSchema = providerRowSchema.transform((provider) => {
  const sum = (name: 'scored' | 'up') => provider.days.reduce((total, day) => total + day[name], 0);
  const scored = sum('scored');
  /** Share of the scored probes of `days` that succeeded, in percent with one decimal; null without a scored probe. */
  const uptime30d = scored === 0 ? null : toPercent(sum('up') / scored);
  return { ...provider, uptime30d };
});

/** Figures of all public endpoints of a host. */
export type Provider = z.infer<typeof providerSchema>;

const pageSchema = z.object({
  rows: z.array(z.object({ key: z.number(), snapshot: snapshotRowSchema })),
  total: count.nullable(),
  isTotalMinimum: z.boolean(),
  counts: countsSchema.nullable(),
});

/**
 * Error of a cursor that is malformed or belongs to another order. Callers respond with the first page or with status
 * 400.
 */
export class InvalidCursorError extends Error {
  constructor() {
    super(
      'The cursor is invalid. Use the `next` value of a page with the same sort, or request the first page.',
    );
    this.name = 'InvalidCursorError';
  }
}

/** Position of a row in an order: the value of the order, and the endpoint id for rows with the same value. */
interface ExplorePosition {
  readonly sort: ExploreSort;
  readonly key: number;
  readonly endpointId: string;
}

/** Maximum length of a cursor in characters. */
const MAX_CURSOR_CHARS = 200;

const cursorSchema = z.tuple([z.enum(EXPLORE_SORTS), z.number(), z.string().regex(/^[a-z2-7]{10}$/)]);

export function formatCursor({ sort, key, endpointId }: ExplorePosition): string {
  return Buffer.from(JSON.stringify([sort, key, endpointId])).toString('base64url');
}

/**
 * Parses a cursor of `formatCursor`.
 * @throws InvalidCursorError when the cursor is malformed or belongs to another order.
 */
export function parseCursor(cursor: string, sort: ExploreSort): ExplorePosition {
  const parsed = cursorSchema.safeParse(decode(cursor));
  if (!parsed.success || parsed.data[0] !== sort) throw new InvalidCursorError();
  const [, key, endpointId] = parsed.data;
  return { sort, key, endpointId };
}

/** Returns the JSON value of a cursor; undefined if the cursor is not encoded JSON. */
function decode(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARS) return undefined;
  return parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
}

/** Replaces NUL, which PostgreSQL texts cannot contain. */
function toText(text: string): string {
  return text.replaceAll('\0', ' ');
}

/** Returns the filters that are set, in the format of the SQL function `explore`. */
function toFilters(query: ExploreQuery): object {
  const { networks, grades, recommendations, properties, host, tag, status, minPriceUsd, maxPriceUsd } =
    query;
  return {
    ...(networks.length > 0 && { networks: networks.map(toText) }),
    ...(grades.length > 0 && { grades }),
    ...(recommendations.length > 0 && { recommendations }),
    ...(properties.length > 0 && { properties }),
    ...(host !== null && { host: toText(host) }),
    ...(tag !== null && { tag: toText(tag) }),
    ...(status !== null && { status }),
    ...(minPriceUsd !== null && { minPriceUsd }),
    ...(maxPriceUsd !== null && { maxPriceUsd }),
  };
}

/** @throws InvalidCursorError when `query.after` is malformed or belongs to another order. */
export async function explore(db: Db, query: ExploreQuery): Promise<ExplorePage> {
  const position = query.after === null ? null : parseCursor(query.after, query.sort);
  const limit = Math.max(1, Math.min(query.limit, MAX_EXPLORE_LIMIT));
  const response = await call(db, 'explore', {
    text: toText(query.text),
    filters: toFilters(query),
    sort: query.sort,
    // The query requests one row more than the page shows, to find out if there is a next page.
    limit: limit + 1,
    hasCounts: query.hasCounts === true,
    ...(query.ids && { ids: query.ids }),
    ...(position && { afterKey: position.key, afterId: position.endpointId }),
  });
  const { rows, total, isTotalMinimum, counts } = pageSchema.parse(response);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return {
    snapshots: await addUptimeDays(
      db,
      shown.map(({ snapshot }) => snapshot),
    ),
    next: hasNext
      ? formatCursor({ sort: query.sort, key: last.key, endpointId: last.snapshot.endpointId })
      : null,
    total,
    isTotalMinimum,
    counts,
  };
}

export async function suggest(db: Db, text: string): Promise<Suggestions> {
  return suggestionsSchema.parse(await call(db, 'suggest', { text: toText(text) }));
}

/** Returns true if a host has a public endpoint. */
export async function hasProvider(db: Db, host: string): Promise<boolean> {
  return call(db, 'provider_exists', { host: toText(host) });
}

export async function readProvider(db: Db, host: string): Promise<Provider | null> {
  return providerSchema.nullable().parse(await call(db, 'provider', { host: toText(host) }));
}
