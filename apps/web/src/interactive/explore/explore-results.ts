import { LRUCache } from 'lru-cache';
import { getProcessValue } from '../../platform/process-value.ts';
import type { FirstPage } from './list-endpoints.ts';

/** Maximum number of results in memory. One result has about 25 kB. A page takes its result out of the memory. */
const MAX_RESULTS = 500;
/** Maximum time for which a result is in memory, in milliseconds. */
const MAX_AGE_MS = 10_000;

/**
 * Returns the results of the latest searches by path segment. The proxy searches, because only the proxy can respond
 * with status 429, and the page shows the result.
 */
export const getExploreResults = () =>
  getProcessValue(
    'explore-results',
    () => new LRUCache<string, Promise<FirstPage>>({ max: MAX_RESULTS, ttl: MAX_AGE_MS }),
  );
