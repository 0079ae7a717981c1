import type { ReactNode } from 'react';
import type { ExploreParams } from '../../explore/explore-params.ts';
import type { ExploreResult } from '../../trpc/explore-router.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { ActiveFilters, listActiveFilters, removeFilters } from './active-filters.tsx';
import type { ExploreActions } from './explore-view.tsx';
import { FilterLink } from './filter-link.tsx';
import { MatchList } from './match-list.tsx';
import { formatResultCount } from './result-count.ts';

/** Id of the sentence that states the number of endpoints. Screen readers read it when it changes. */
export const RESULT_COUNT_ID = 'result-count';

interface ResultListProps {
  readonly params: ExploreParams;
  /** Loaded pages in their order; one on the server. */
  readonly pages: readonly ExploreResult[];
  /** Values of the URL that were ignored. */
  readonly ignored: readonly string[];
  readonly actions: ExploreActions | undefined;
  /** True while the endpoints on the page belong to earlier parameters. */
  readonly isLoading?: boolean;
  /** Button that loads the next page; without it, a link opens the next page. */
  readonly nextButton?: ReactNode;
}

/** Number of endpoints, active filters, endpoints and the way to the next page. */
export function ResultList({
  params,
  pages,
  ignored,
  actions,
  isLoading = false,
  nextButton,
}: ResultListProps) {
  const matches = pages.flatMap((page) => page.matches);
  const next = pages.at(-1)?.next ?? null;
  return (
    <>
      <IgnoredValues ignored={ignored} />
      <p
        id={RESULT_COUNT_ID}
        role="status"
        tabIndex={-1}
        className="text-lg font-semibold [overflow-wrap:anywhere]"
      >
        {isLoading ? 'Loading endpoints…' : formatResultCount(params, pages)}
      </p>
      <ActiveFilters params={params} actions={actions} />
      {matches.length === 0 ? (
        <NoMatch params={params} actions={actions} />
      ) : (
        <div aria-busy={isLoading} className="aria-busy:opacity-60">
          <p className="mt-2 max-w-2xl text-sm text-ink-soft">
            Names and descriptions are unverified claims of the providers. Uptime is of the last 30 days.
            Prices are per call and as advertised.
          </p>
          <MatchList matches={matches} />
        </div>
      )}
      <p className="mt-6 flex flex-wrap gap-x-8 gap-y-3">
        {params.after === null ? null : (
          <FilterLink params={{ ...params, after: null }} actions={actions}>
            First page
          </FilterLink>
        )}
        {next === null
          ? null
          : (nextButton ?? (
              <FilterLink params={{ ...params, after: next }} actions={undefined}>
                Next page
              </FilterLink>
            ))}
      </p>
    </>
  );
}

/** Notice that names the values of the URL that are not valid. */
function IgnoredValues({ ignored }: Pick<ResultListProps, 'ignored'>) {
  if (ignored.length === 0) return null;
  return (
    <div role="note" className="mb-6 border-l-4 border-warn bg-panel px-4 py-3">
      <p>
        {ignored.length === 1
          ? 'This value is not valid and has no effect: '
          : 'These values are not valid and have no effect: '}
        {ignored.map((value, index) => (
          <span key={value}>
            {index > 0 ? ', ' : ''}
            <bdi className="font-mono text-sm [overflow-wrap:anywhere]">{value}</bdi>
          </span>
        ))}
        . {ignored.some((value) => value.startsWith('q=')) ? 'A search text has at most 200 characters.' : ''}
      </p>
    </div>
  );
}

function NoMatch({ params, actions }: Pick<ResultListProps, 'params' | 'actions'>) {
  const hasFilters = listActiveFilters(params).length > 0;
  return (
    <div className="mt-6">
      <EmptyState title={<NoMatchTitle text={params.text} hasFilters={hasFilters} />}>
        <NoMatchAdvice params={params} actions={actions} hasFilters={hasFilters} />
      </EmptyState>
    </div>
  );
}

function NoMatchTitle({ text, hasFilters }: { readonly text: string; readonly hasFilters: boolean }) {
  if (text === '') return hasFilters ? 'No endpoint has all of these properties' : 'No endpoints yet';
  return (
    <span className="[overflow-wrap:anywhere]">
      No endpoint found for “<bdi>{text}</bdi>”{hasFilters ? ' with these filters' : ''}
    </span>
  );
}

function NoMatchAdvice({
  params,
  actions,
  hasFilters,
}: Pick<ResultListProps, 'params' | 'actions'> & { readonly hasFilters: boolean }) {
  if (hasFilters) {
    return (
      <>
        <FilterLink params={removeFilters(params)} actions={actions}>
          Remove all filters
        </FilterLink>
        , or remove them one by one above.
      </>
    );
  }
  if (params.text === '') return 'Endpoints appear here after the directories are read for the first time.';
  return (
    <>
      Check the spelling, or search for a part of the host or for one word. An endpoint that no public
      directory lists is added by its first paid <a href="/docs#getTrustReport">trust report</a>.
    </>
  );
}
