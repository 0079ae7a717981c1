import { getDefaultSort, SORT_LABELS, type ExploreParams } from './explore-params.ts';
import { listActiveFilters } from './list-filters.ts';

/** Title of the explore page, without the name of the site. */
export const EXPLORE_TITLE = 'Explore x402 endpoints';

/** Maximum number of filters that a title names. */
const MAX_TITLE_FILTERS = 3;

/** Returns the title of a page, without the name of the site. It names the text, the first filters and the order. */
export function getExploreTitle(params: ExploreParams): string {
  const { text, sort } = params;
  const filters = listActiveFilters(params).map(({ label }) => label);
  const rest = filters.length - MAX_TITLE_FILTERS;
  const details = filters.slice(0, MAX_TITLE_FILTERS);
  if (rest > 0) details.push(`${rest} more`);
  if (sort !== getDefaultSort(text)) details.push(`${SORT_LABELS[sort].toLowerCase()} first`);
  if (details.length === 0) return text === '' ? EXPLORE_TITLE : `Search for “${text}”`;
  return `${text === '' ? 'x402 endpoints' : `Search for “${text}”`}: ${details.join(', ')}`;
}
