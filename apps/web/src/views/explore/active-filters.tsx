import { toExploreUrl, type ExploreParams } from '../../explore/explore-params.ts';
import { listActiveFilters } from '../../explore/list-filters.ts';
import type { ExploreActions } from './explore-view.tsx';
import { FilterLink } from './filter-link.tsx';

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
