import { setTimeout as sleep } from 'node:timers/promises';
import type { RatePolicy } from '@touchstone/contract';
import type { PageKind } from '@touchstone/store';
import pLimit from 'p-limit';
import type { ProcessCounter } from '../../api/rate-limit/process-counter.ts';
import type { KnownNames } from './known-names.ts';

/** Result of a guarded query for the data of a page. */
export type PageLookup<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** The database does not have the page. */
  | { readonly kind: 'missing' }
  /** The name of the page is not in memory, and the database was not queried. */
  | { readonly kind: 'unknown' }
  /**
   * The database was not queried, because the client or all clients together sent too many requests for unknown pages.
   */
  | Limited;

/** Too many requests for unknown pages. */
export interface Limited {
  readonly kind: 'limited';
  /** Sender of the requests: the client of this request, or all clients together. */
  readonly limited: 'client' | 'all';
  readonly retryAfterSeconds: number;
}

/** Query for the data of one page. */
export interface PageQuery<T> {
  /** Endpoint id or host. */
  readonly name: string;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
  /** Queries the database. Resolves to null if the page does not exist. */
  readonly query: () => Promise<T | null>;
}

export interface PageGuardOptions {
  /** Kind of the pages. Each kind has a separate limit for all clients. */
  readonly kind: PageKind;
  readonly names: KnownNames;
  readonly counter: ProcessCounter;
  /** Returns the rate limit of one client for unknown pages. */
  readonly getPolicy: (client: string) => RatePolicy;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Maximum number of queries per second for names that are not in memory. After all names are loaded, a query for any
 * other name is needed only because its page may be new.
 */
const QUERIES: RatePolicy = { name: 'unknown-page-queries', limit: 20, windowSeconds: 1 };
/** Maximum number of concurrent queries for names that are not in memory. */
const MAX_CONCURRENT_QUERIES = 4;
/** Maximum number of waiting queries for names that are not in memory. */
const MAX_WAITING_QUERIES = 50;
/** Time after which a request may be sent again when too many queries wait, in seconds. */
const BUSY_SECONDS = 2;
/**
 * Maximum time for which a request waits for the first read of the names, in milliseconds. Only requests for names that
 * are not in memory wait.
 */
const MAX_LOAD_WAIT_MS = 1_000;
/** Maximum number of queries per second while the names are not loaded. */
const QUERIES_WITHOUT_NAMES: RatePolicy = { ...QUERIES, limit: 200 };

/**
 * Creates a function that limits the queries for unknown pages. Clients can invent any number of names, and each query
 * would delay a purchase. Queries for names in memory are never limited.
 */
export function createPageGuard({ kind, names, counter, getPolicy, now }: PageGuardOptions) {
  const runWithinLimits = createLimitedQuery();
  const limit = (limited: Limited['limited'], resetsAt: number): Limited => ({
    kind: 'limited',
    limited,
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now()) / 1_000)),
  });
  const isKnownPage = async (name: string): Promise<boolean | null> => {
    if (names.has(name) === null) await waitForNames(names);
    return names.has(name);
  };
  return async <T>({ name, client, query }: PageQuery<T>): Promise<PageLookup<T>> => {
    const isKnown = await isKnownPage(name);
    if (isKnown !== true) {
      const exhausted = counter.findExhausted(client, getPolicy(client));
      if (exhausted !== null) return limit('client', exhausted.resetsAt);
      const queries = counter.count(kind, isKnown === null ? QUERIES_WITHOUT_NAMES : QUERIES);
      if (!queries.allowed && isKnown === null) return limit('all', queries.resetsAt);
      if (!queries.allowed) {
        counter.count(client, getPolicy(client));
        return { kind: 'unknown' };
      }
    }
    const result = isKnown === true ? { value: await query() } : await runWithinLimits(query);
    if (result === null) return limit('all', now() + 1_000 * BUSY_SECONDS);
    const { value } = result;
    if (value !== null) {
      if (isKnown !== true) names.add(name);
      return { kind: 'found', value };
    }
    names.remove(name);
    counter.count(client, getPolicy(client));
    return { kind: 'missing' };
  };
}

/**
 * Creates a function that runs queries for names that are not in memory. Only a few queries run at the same time. The
 * promise resolves to null if the database is overloaded: too many queries wait, or a query fails while other queries
 * run. The caller must then send no further queries. If the only running query fails, the promise rejects.
 */
function createLimitedQuery() {
  const limit = pLimit(MAX_CONCURRENT_QUERIES);
  let unfinished = 0;
  return async <T>(query: () => Promise<T>): Promise<{ readonly value: T } | null> => {
    unfinished += 1;
    try {
      return limit.pendingCount >= MAX_WAITING_QUERIES ? null : { value: await limit(query) };
    } catch (error) {
      if (unfinished > 1) return null;
      throw error;
    } finally {
      unfinished -= 1;
    }
  };
}

/** Waits until the names are read, for at most a second. */
async function waitForNames(names: KnownNames): Promise<void> {
  await Promise.race([names.load(), sleep(MAX_LOAD_WAIT_MS, undefined, { ref: false })]);
}
