import { loadEcosystemDays } from '../page-cache/page-data.ts';
import { createChoices, type Choices } from './choices.ts';
import { formatExploreParams, type ParsedParams } from './explore-params.ts';
import type { FirstPage } from './first-page.ts';
import { loadExplore } from './load-explore.ts';

/** Maximum length of an ignored cursor on the page, in characters. */
const MAX_CURSOR_LENGTH = 60;

/** Loads the data of the explore page. With an invalid cursor, it is the first page, and the cursor is named. */
export async function loadExplorePage({
  params,
  ignored,
}: ParsedParams): Promise<{ readonly page: FirstPage; readonly choices: Choices }> {
  const [result, [newest]] = await Promise.all([
    loadExplore(formatExploreParams(params)),
    loadEcosystemDays(1),
  ]);
  const choices = createChoices(newest);
  if (result !== null) return { page: { params, ignored, result }, choices };
  const first = { ...params, after: null };
  const firstResult = await loadExplore(formatExploreParams(first));
  if (firstResult === null) throw new Error('The store refused a query without a cursor');
  const cursor = `after=${(params.after ?? '').slice(0, MAX_CURSOR_LENGTH)}`;
  return { page: { params: first, ignored: [...ignored, cursor], result: firstResult }, choices };
}
