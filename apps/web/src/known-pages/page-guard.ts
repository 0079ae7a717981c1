import type { RatePolicy } from '@touchstone/contract';
import type { ProcessCounter } from '../api/rate-limit/process-counter.ts';
import type { KnownNames } from './known-names.ts';

/** Result of a guarded query for the data of a page. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** The database has no such page. */
  | { readonly kind: 'missing' }
  /** No such page is in memory, and the database was not asked. */
  | { readonly kind: 'unknown' }
  /** The database was not asked, because there were too many requests for unknown pages. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/** Query for the data of one page. */
export interface PageQuery<T> {
  /** Endpoint id or host. */
  readonly name: string;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
  /** Asks the database. Resolves to null if there is no such page. */
  readonly query: () => Promise<T | null>;
}

export interface PageGuardOptions {
  readonly names: KnownNames;
  readonly counter: ProcessCounter;
  /** Policy of the requests of one client for unknown pages. */
  readonly getPolicy: (client: string) => RatePolicy;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Maximum number of queries per second for names that are not in memory. While the names are loaded, an unknown name
 * needs a query only because its page may be new.
 */
const QUERIES: RatePolicy = { name: 'unknown-page-queries', limit: 20, windowSeconds: 1 };
/** Maximum number of queries per second while the names are not loaded. */
const QUERIES_WITHOUT_NAMES: RatePolicy = { ...QUERIES, limit: 200 };

/**
 * Creates a function that limits the queries for unknown pages. Clients can invent any number of names, and each query
 * would delay a purchase. Pages in memory are never limited.
 */
export function createPageGuard({ names, counter, getPolicy, now }: PageGuardOptions) {
  const limit = (resetsAt: number): Lookup<never> => ({
    kind: 'limited',
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now()) / 1_000)),
  });
  return async <T>({ name, client, query }: PageQuery<T>): Promise<Lookup<T>> => {
    const isKnown = names.has(name);
    if (isKnown !== true) {
      const exhausted = counter.findExhausted(client, getPolicy(client));
      if (exhausted !== null) return limit(exhausted.resetsAt);
      const queries = counter.count('all', isKnown === null ? QUERIES_WITHOUT_NAMES : QUERIES);
      if (!queries.allowed && isKnown === null) return limit(queries.resetsAt);
      if (!queries.allowed) {
        counter.count(client, getPolicy(client));
        return { kind: 'unknown' };
      }
    }
    const value = await query();
    if (value !== null) {
      names.add(name);
      return { kind: 'found', value };
    }
    names.remove(name);
    counter.count(client, getPolicy(client));
    return { kind: 'missing' };
  };
}
