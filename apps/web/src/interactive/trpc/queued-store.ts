import { runFreeSearch, SEARCH_BUSY, SEARCH_RETRY_SECONDS } from '../../operations/search-queue.ts';
import { createProblemError, type TrpcContext } from './trpc.ts';

type SearchStore = TrpcContext['store'];

/**
 * Creates a store whose searches wait in the queue of all searches.
 *
 * @param client client that sent the request, such as an IP address
 * @returns Store whose methods throw a TRPCError with the problem `rate-limited` if too many searches wait.
 */
export function queueSearches(store: SearchStore, client: string): SearchStore {
  const run = async <T>(search: () => Promise<T>): Promise<T> => {
    const found = await runFreeSearch(client, search);
    if (found === null) throw createProblemError(SEARCH_BUSY, SEARCH_RETRY_SECONDS);
    return found;
  };
  return {
    explore: (query) => run(() => store.explore(query)),
    suggest: (text) => run(() => store.suggest(text)),
  };
}
