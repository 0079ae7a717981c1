import type { WorkResult } from '@touchstone/payment';
import type { SearchContext, SearchProblem } from '@touchstone/pipeline/search/search-context';
import { getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getEmbedder } from './embedder.ts';
import { runSearch, SEARCH_BUSY, SEARCH_RETRY_SECONDS, SearchBusyError } from './search-queue.ts';
import { toProblem, toWorkResult } from './to-work-result.ts';

/** Time until a client can repeat a request after the embedder was unavailable, in seconds. */
const EMBEDDER_RETRY_SECONDS = 30;

/** Result of a search, or the problem why the search failed. */
type Found = { readonly kind: 'result'; readonly body: unknown } | SearchProblem;

/**
 * Runs a paid search. Only its queries of the database wait in the queue of all searches, because the embedder can take
 * seconds. Without a configured embedder, the response does not suggest a retry, because the retry would fail too.
 */
export async function sellSearch(
  client: string,
  search: (context: SearchContext) => Promise<Found>,
): Promise<WorkResult> {
  const context: SearchContext = {
    db: getSecretDatabase(),
    embedder: getEmbedder(),
    baseUrl: getSiteOrigin(process.env),
    runQuery: (query) => runSearch({ client, isPaid: true }, query),
  };
  try {
    const found = await search(context);
    const canRetry =
      found.kind === 'problem' && found.code === 'search-unavailable' && context.embedder !== null;
    return canRetry
      ? { problem: toProblem(found), retryAfterSeconds: EMBEDDER_RETRY_SECONDS }
      : toWorkResult(found);
  } catch (error) {
    if (error instanceof SearchBusyError)
      return { problem: SEARCH_BUSY, retryAfterSeconds: SEARCH_RETRY_SECONDS };
    throw error;
  }
}
