import { formatGrade, formatUsd, getRecommendationText } from '@touchstone/ui';
import { formatNetwork } from '../../explore/choices.ts';
import { NO_PARAMS, toExploreUrl, type ExploreParams } from '../../explore/explore-params.ts';
import type { ExploreActions } from './explore-view.tsx';
import { FilterLink } from './filter-link.tsx';

/** Active filter, with the parameters of the page without it. */
export interface ActiveFilter {
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

/** Active filters. Each one is a link that removes it. */
export function ActiveFilters({
  params,
  actions,
}: {
  readonly params: ExploreParams;
  readonly actions: ExploreActions | undefined;
}) {
  const filters = listActiveFilters(params);
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mt-3 flex flex-wrap gap-2">
      {filters.map(({ label, without }) => (
        <li key={toExploreUrl(without)} className="max-w-full">
          <FilterLink
            params={without}
            actions={actions}
            className="inline-flex max-w-full items-center gap-2 border border-edge bg-panel px-3 py-1 text-sm no-underline hover:border-accent"
          >
            <span className="sr-only">Remove the filter </span>
            <bdi className="[overflow-wrap:anywhere]">{label}</bdi>
            <span aria-hidden="true">×</span>
          </FilterLink>
        </li>
      ))}
    </ul>
  );
}
