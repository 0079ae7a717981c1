import { getPublicStore } from '../../platform/database/databases.ts';
import { loadEcosystemDays, readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { type Choices, createChoices } from './choices.ts';
import { getExploreResults } from './explore-results.ts';
import { decodeParams } from './explore-route.ts';
import { type FirstPage, listFirstPage } from './list-endpoints.ts';

/**
 * Loads the data of the explore page. The data of a page with parameters is never stored, because clients can send any
 * number of different parameters. Without `readThroughCache`, Next would store the page.
 *
 * @param segment Path segment with the parameters; empty for the page without parameters.
 */
export async function loadExplorePage(
  segment: string,
): Promise<{ readonly page: FirstPage; readonly choices: Choices }> {
  const [page, [newest]] = await Promise.all([
    readThroughCache(['explore', segment], segment === '' ? 'leaderboard' : UNSTORED_TAG, () =>
      findResult(segment),
    ),
    loadEcosystemDays(1),
  ]);
  return { page, choices: createChoices(newest) };
}

/** Returns the result that the proxy found. If the proxy is another process, the page searches again. */
function findResult(segment: string): Promise<FirstPage> {
  return getExploreResults().get(segment) ?? listFirstPage(getPublicStore(), decodeParams(segment));
}
