import { formatGrade, formatUsd, getRecommendationText } from '@touchstone/ui';
import { formatNetwork } from './choices.ts';
import { type ExploreParams, NO_PARAMS, SORT_LABELS, getDefaultSort } from './explore-params.ts';

/** Active filter, with the parameters of the page without it. */
interface ActiveFilter {
  readonly label: string;
  readonly without: ExploreParams;
}

/** Lists the active filters in the order of the form. The text and the order are not filters. */
export function listActiveFilters(params: ExploreParams): readonly ActiveFilter[] {
  const first = { ...params, after: null };
  const { networks, grades, recommendations, minPriceUsd, maxPriceUsd, host, tag, status } = params;
  const filters: ActiveFilter[] = [
    ...grades.map((grade) => ({
      label: formatGrade(grade),
      without: { ...first, grades: grades.filter((other) => other !== grade) },
    })),
    ...recommendations.map((recommendation) => ({
      label: getRecommendationText(recommendation).label,
      without: { ...first, recommendations: recommendations.filter((other) => other !== recommendation) },
    })),
    ...networks.map((network) => ({
      label: formatNetwork(network),
      without: { ...first, networks: networks.filter((other) => other !== network) },
    })),
  ];
  if (minPriceUsd !== null)
    filters.push({ label: `From ${formatUsd(minPriceUsd)}`, without: { ...first, minPriceUsd: null } });
  if (maxPriceUsd !== null)
    filters.push({ label: `To ${formatUsd(maxPriceUsd)}`, without: { ...first, maxPriceUsd: null } });
  if (host !== null) filters.push({ label: host, without: { ...first, host: null } });
  if (tag !== null) filters.push({ label: `Tag ${tag}`, without: { ...first, tag: null } });
  if (status !== null)
    filters.push({
      label: status === 'listed' ? 'Listed' : 'Delisted',
      without: { ...first, status: null },
    });
  return filters;
}

/** Returns the parameters without filters. The text and the order stay. */
export function removeFilters({ text, sort }: ExploreParams): ExploreParams {
  return { ...NO_PARAMS, text, sort };
}

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
