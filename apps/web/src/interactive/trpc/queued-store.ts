import {
  runSearch,
  SEARCH_BUSY,
  SEARCH_RETRY_SECONDS,
  SearchBusyError,
  type SearchSender,
} from '../../operations/search-queue.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { openExploreSource } from '../explore/explore-source.ts';
import { createProblemError, type TrpcContext } from './trpc.ts';

/**
 * Opens the store of the procedures. Its searches wait in the queue of all searches.
 *
 * @returns Store whose methods throw a TRPCError with the problem `rate-limited` if too many searches wait.
 */
export function openQueuedStore(sender: SearchSender): TrpcContext['store'] {
  const source = openExploreSource(sender);
  const report = <T>(search: Promise<T>): Promise<T> =>
    search.catch((error: unknown) => {
      throw error instanceof SearchBusyError ? createProblemError(SEARCH_BUSY, SEARCH_RETRY_SECONDS) : error;
    });
  return {
    explore: (query) => report(source.explore(query)),
    findNearest: (text) => report(source.findNearest(text)),
    suggest: (text) => report(runSearch(sender, () => getPublicStore().suggest(text))),
  };
}
