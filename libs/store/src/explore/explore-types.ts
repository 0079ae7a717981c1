import type { Grade, Recommendation } from '@touchstone/contract';
import type { Snapshot } from '../snapshots/snapshot.ts';

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

/** Maximum number of snapshots per page. */
export const MAX_EXPLORE_LIMIT = 50;
/** Maximum of `ExplorePage.total`. */
export const MAX_EXPLORE_TOTAL = 1_000;

/** Filters, order and page of the explore page. All filters apply together; each empty filter has no effect. */
export interface ExploreQuery {
  /** Words or a URL; empty without a text search. At most 200 characters of its words are used. */
  readonly text: string;
  /** CAIP-2 ids of networks, of which an endpoint accepts at least one; an empty list allows every network. */
  readonly networks: readonly string[];
  readonly grades: readonly Grade[];
  readonly recommendations: readonly Recommendation[];
  /** Bounds of the advertised price in US dollars as decimal strings. Endpoints without a price are excluded by them. */
  readonly minPriceUsd: string | null;
  readonly maxPriceUsd: string | null;
  /** Exact host in lower case. */
  readonly host: string | null;
  /** Exact tag in lower case. */
  readonly tag: string | null;
  readonly status: 'listed' | 'delisted' | null;
  /** Order of the results. Without a text, `relevance` is the same as `score`. */
  readonly sort: ExploreSort;
  /** Cursor `next` of the previous page with the same filters and order; null for the first page. */
  readonly after: string | null;
  /** Number of snapshots per page, 1 to 50. */
  readonly limit: number;
}

/** One page of endpoints that match a query. */
export interface ExplorePage {
  readonly snapshots: readonly Snapshot[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
  /**
   * Number of endpoints that match, at most 1,000; 1,000 means 1,000 or more. Null on every page but the first.
   */
  readonly total: number | null;
}

/** Completions of a text that a person types: at most five endpoints, three hosts and three tags. */
export interface Suggestions {
  readonly endpoints: readonly Snapshot[];
  readonly hosts: readonly { readonly host: string; readonly endpoints: number }[];
  /** Tags are claims of the providers. */
  readonly tags: readonly { readonly tag: string; readonly endpoints: number }[];
}

/** Figures of all public endpoints of a host. */
export interface Provider {
  readonly host: string;
  readonly endpoints: number;
  /** Number of endpoints that a directory lists. */
  readonly listed: number;
  /** Number of endpoints whose pages search engines may list; see `internal.is_indexable`. */
  readonly indexable: number;
  readonly grades: Readonly<Record<Grade, number>>;
  readonly recommendations: Readonly<Record<Recommendation, number>>;
  /** Uptime of the last 30 days of all endpoints, weighted by their probes, in percent with one decimal. */
  readonly uptime30d: number | null;
  /** Number of endpoints whose latest probe failed. */
  readonly failing: number;
  /** Lowest and highest advertised price of the listed endpoints in US dollars; null without a price. */
  readonly lowestPriceUsd: string | null;
  readonly highestPriceUsd: string | null;
  /** CAIP-2 ids of the networks of all payment options, the most frequent first. */
  readonly networks: readonly string[];
  /** Earliest time at which an endpoint was listed, in ISO 8601. */
  readonly firstSeen: string;
  /** Latest times of all endpoints, in ISO 8601. */
  readonly computedAt: string;
  readonly contentChangedAt: string;
}

/** Error of a cursor that is malformed or belongs to another order. Callers answer with the first page or a status 400. */
export class InvalidCursorError extends Error {
  constructor() {
    super(
      'The cursor is invalid. Use the `next` value of a page with the same sort, or request the first page.',
    );
    this.name = 'InvalidCursorError';
  }
}
