import {
  runSearch,
  SEARCH_BUSY,
  SEARCH_RETRY_SECONDS,
  SearchBusyError,
  type SearchSender,
} from '../../operations/search-queue.ts';
import { createProblemError, type TrpcContext } from './trpc.ts';

type SearchStore = TrpcContext['store'];

/**
 * Creates a store whose searches wait in the queue of all searches.
 *
 * @returns Store whose methods throw a TRPCError with the problem `rate-limited` if too many searches wait.
 */
export function queueSearches(store: SearchStore, sender: SearchSender): SearchStore {
  const run = <T>(search: () => Promise<T>): Promise<T> =>
    runSearch(sender, search).catch((error: unknown) => {
      throw error instanceof SearchBusyError ? createProblemError(SEARCH_BUSY, SEARCH_RETRY_SECONDS) : error;
    });
  return {
    explore: (query) => run(() => store.explore(query)),
    suggest: (text) => run(() => store.suggest(text)),
  };
}
