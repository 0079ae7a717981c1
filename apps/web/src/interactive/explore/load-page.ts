import { getPublicStore } from '../../platform/database/databases.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { decodeParams, getExploreResults } from './explore-route.ts';
import { openExploreSource } from './explore-source.ts';
import { type ExploreSource, type FirstPage, listFirstPage } from './list-endpoints.ts';

/**
 * Loads the data of the explore page. The data of a page with parameters is never stored, because clients can send any
 * number of different parameters. Without `readThroughCache`, Next would store the page.
 *
 * @param segment Path segment with the parameters; empty for the page without parameters.
 */
export function loadExplorePage(segment: string): Promise<FirstPage> {
  return readThroughCache(['explore', segment], segment === '' ? 'leaderboard' : UNSTORED_TAG, () =>
    findResult(segment),
  );
}

/**
 * Takes the result that the proxy found. If the result is gone, the page searches again, after the other searches that
 * wait. The page without parameters does not wait, because its data is stored.
 */
function findResult(segment: string): Promise<FirstPage> {
  const source = openExploreSource({ client: '' });
  const list = (from: ExploreSource) => listFirstPage(from, decodeParams(segment));
  if (segment === '') return list({ ...source, explore: (query) => getPublicStore().explore(query) });
  const results = getExploreResults();
  const found = results.get(segment);
  results.delete(segment);
  return found ?? list(source);
}
