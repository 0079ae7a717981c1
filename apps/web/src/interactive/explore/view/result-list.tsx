import { formatCount } from '@touchstone/common';
import type { ExploreSort } from '@touchstone/store';
import type { ListValue } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { type ExploreParams, NO_PARAMS, SORT_LABELS, toExploreUrl } from '../explore-params.ts';
import { groupIgnored, listActiveFilters, removeFilters } from '../list-filters.ts';
import type { ExploreResult } from '../list-endpoints.ts';
import { ComparableList } from '../../../page-parts/comparable-list.tsx';
import { EmptyState } from '../../../page-parts/list-parts.tsx';
import type { ExploreActions } from './filter-fields.tsx';
import { FilterLink } from './filter-fields.tsx';

/** Id of the list of endpoints. */
export const MATCH_LIST_ID = 'match-list';
/** Id of the element with the number of endpoints and the notice of ignored values. Screen readers read its changes. */
export const RESULT_COUNT_ID = 'result-count';

/** Value that the rows of each order show. */
const LIST_VALUES: Readonly<Record<ExploreSort, ListValue>> = {
  relevance: 'score',
  score: 'score',
  price: 'price',
  'price-desc': 'price',
  uptime: 'uptime',
  latency: 'latency',
  newest: 'newest',
  changed: 'changed',
};

interface ResultListProps {
  readonly params: ExploreParams;
  /** Loaded pages in their order; on the server, only one page. */
  readonly pages: readonly ExploreResult[];
  /** Invalid values of the URL. The page ignores these values. */
  readonly ignored: readonly string[];
  readonly actions: ExploreActions | undefined;
  /** True while the endpoints on the page belong to earlier parameters. */
  readonly isLoading?: boolean;
  /** Button that loads the next page. Without this button, a link opens the next page. */
  readonly nextButton?: ReactNode;
}

/** Number of endpoints, active filters, endpoints, and the button or link to the next page. */
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
      <div id={RESULT_COUNT_ID} role="status" tabIndex={-1} className="[overflow-wrap:anywhere]">
        <p className="text-lg font-semibold">
          {isLoading ? 'Loading endpoints…' : formatResultCount(params, pages)}
        </p>
        <IgnoredValues ignored={ignored} />
      </div>
      <ActiveFilters params={params} actions={actions} />
      {matches.length === 0 ? (
        <NoMatch params={params} actions={actions} fallback={pages[0]?.fallback} />
      ) : (
        <div aria-busy={isLoading} className="aria-busy:opacity-60">
          {pages[0]?.fallback === 'meaning' ? <NearestNotice params={params} actions={actions} /> : null}
          <p className="mt-2 mb-5 max-w-2xl text-sm text-ink-soft">
            Names and descriptions are unverified claims of the providers. Prices are per call and as
            advertised.
          </p>
          <ComparableList id={MATCH_LIST_ID} endpoints={matches} sortedBy={LIST_VALUES[params.sort]} />
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

/** Notice about invalid values of the URL or of the form, each with the expected format. */
function IgnoredValues({ ignored }: Pick<ResultListProps, 'ignored'>) {
  if (ignored.length === 0) return null;
  return (
    <div className="mt-3 border-l-4 border-warn bg-panel px-4 py-3">
      <p>
        {ignored.length === 1
          ? 'This value is not valid and has no effect:'
          : 'These values are not valid and have no effect:'}
      </p>
      <ul className="mt-1 space-y-1">
        {groupIgnored(ignored).map(({ name, values, expected }) => (
          <li key={name}>
            <bdi className="font-mono text-sm">{`${name}=${values.join(',')}`}</bdi>
            {'. '}
            {expected}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Notice that the listed endpoints are the nearest in meaning. */
function NearestNotice({ params, actions }: Pick<ResultListProps, 'params' | 'actions'>) {
  const hasFilters = listActiveFilters(params).length > 0;
  return (
    <p className="mt-3 max-w-2xl border-l-4 border-accent bg-panel px-4 py-3 [overflow-wrap:anywhere]">
      No endpoint{hasFilters ? ' with these filters' : ''} has a word of “<bdi>{params.text}</bdi>”. These
      endpoints are the nearest in meaning. <AllListings params={params} actions={actions} />
    </p>
  );
}

/** Link that repeats a search of the listed endpoints with all endpoints. */
function AllListings({ params, actions }: Pick<ResultListProps, 'params' | 'actions'>) {
  if (params.text === '' || params.status !== NO_PARAMS.status) return null;
  return (
    <>
      Only endpoints that a directory lists were searched.{' '}
      <FilterLink params={{ ...params, status: null, after: null }} actions={actions}>
        Search all monitored endpoints
      </FilterLink>
      .
    </>
  );
}

interface NoMatchProps extends Pick<ResultListProps, 'params' | 'actions'> {
  readonly fallback: ExploreResult['fallback'];
}

function NoMatch({ params, actions, fallback }: NoMatchProps) {
  const hasFilters = listActiveFilters(params).length > 0;
  return (
    <div className="mt-6">
      <EmptyState title={<NoMatchTitle text={params.text} hasFilters={hasFilters} />}>
        {fallback === 'unavailable'
          ? 'Only words were compared, because the search by meaning is unavailable. '
          : ''}
        <NoMatchAdvice params={params} actions={actions} hasFilters={hasFilters} />{' '}
        <AllListings params={params} actions={actions} />
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
      directory lists is added by its first paid <a href="/docs#getTrustReport">trust report</a>, and appears
      here from a confidence of 0.30.
    </>
  );
}

/** Links that remove the active filters. */
function ActiveFilters({ params, actions }: Pick<ResultListProps, 'params' | 'actions'>) {
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

/** Formats the number of endpoints that match, the search text and the order. */
function formatResultCount(params: ExploreParams, pages: readonly ExploreResult[]): string {
  const shown = pages.reduce((sum, { matches }) => sum + matches.length, 0);
  const subject = params.text === '' ? '' : ` for “${params.text}”`;
  if (shown === 0) return `No endpoints${subject}`;
  if (pages[0]?.fallback === 'meaning' && params.sort === 'relevance')
    return `${formatNumber(pages, shown)} near the meaning of “${params.text}”, nearest first`;
  const order = shown === 1 ? '' : `, ${SORT_LABELS[params.sort].toLowerCase()} first`;
  return `${formatNumber(pages, shown)}${subject}${formatSelection(params, pages, shown)}${order}`;
}

/**
 * Says that a search has one result for each description of a host. A search with a filter by host, or with a thousand
 * or more matches, has all of them.
 */
function formatSelection(
  { text, host }: ExploreParams,
  [first]: readonly ExploreResult[],
  shown: number,
): string {
  const isComplete = (first?.total ?? null) !== null && first?.isTotalMinimum === false;
  const isSelection = text !== '' && host === null && shown > 1 && isComplete;
  return isSelection ? ', one per host and description' : '';
}

function formatNumber([first]: readonly ExploreResult[], shown: number): string {
  const total = first?.total ?? null;
  // The total number of endpoints is known only on the first page.
  if (total === null) return formatCount(shown, 'further endpoint');
  const all =
    first?.isTotalMinimum === true
      ? `${formatCount(total)} or more endpoints`
      : formatCount(total, 'endpoint');
  return shown < total ? `${formatCount(shown)} of ${all}` : all;
}
