import { findNearest } from '../../operations/find-nearest.ts';
import { runSearch, type SearchSender } from '../../operations/search-queue.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import type { ExploreSource } from './list-endpoints.ts';

/**
 * Opens the search of the explore page for one request. Only the queries of the database wait in the queue of all
 * searches, because the embedder can take seconds.
 *
 * @returns Source whose methods throw SearchBusyError if too many searches wait.
 */
export function openExploreSource(sender: SearchSender): ExploreSource {
  const run = <T>(query: () => Promise<T>): Promise<T> => runSearch(sender, query);
  return {
    explore: (query) => run(() => getPublicStore().explore(query)),
    findNearest: (text) => findNearest(text, run),
  };
}
