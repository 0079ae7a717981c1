import type { WorkResult } from '@touchstone/payment';
import type { SearchContext, SearchProblem } from '@touchstone/pipeline/search/search-context';
import { getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getEmbedder } from './embedder.ts';
import { SEARCH_BUSY, SEARCH_RETRY_SECONDS } from './search-queue.ts';
import { toProblem, toWorkResult } from './to-work-result.ts';

/** Returns the context in which endpoints are searched and alternatives are found. */
export function getSearchContext(): SearchContext {
  return { db: getSecretDatabase(), embedder: getEmbedder(), baseUrl: getSiteOrigin(process.env) };
}

/** Time until a client can repeat a request after the embedder was unavailable, in seconds. */
const EMBEDDER_RETRY_SECONDS = 30;

/** Result of a search, or the problem why the search failed. */
type Found = { readonly kind: 'result'; readonly body: unknown } | SearchProblem;

/**
 * Converts the outcome of a search; null if the search did not run, because too many searches wait. Without a configured embedder, the response does not suggest a retry, because the
 * retry would fail too.
 */
export function toSearchResult(found: Found | null): WorkResult {
  if (found === null) return { problem: SEARCH_BUSY, retryAfterSeconds: SEARCH_RETRY_SECONDS };
  const canRetry = found.kind === 'problem' && found.code === 'search-unavailable' && getEmbedder() !== null;
  return canRetry
    ? { problem: toProblem(found), retryAfterSeconds: EMBEDDER_RETRY_SECONDS }
    : toWorkResult(found);
}
