import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ExploreActions } from '../view/filter-fields.tsx';
import { MATCH_LIST_ID, RESULT_COUNT_ID, ResultList } from '../view/result-list.tsx';
import { isTemporary, toCallError, createExploreClient } from '../../trpc/client.ts';
import { type ExploreParams, formatExploreParams } from '../explore-params.ts';
import type { FirstPage } from '../list-endpoints.ts';

const BUTTON_CLASS =
  'cursor-pointer border border-edge bg-panel px-5 py-2.5 font-semibold hover:border-accent hover:text-accent ' +
  'aria-disabled:cursor-wait aria-disabled:opacity-60';

interface ResultsProps {
  readonly params: ExploreParams;
  readonly ignored: readonly string[];
  readonly results: ReturnType<typeof useResults>;
  readonly actions: ExploreActions | undefined;
}

/** Result of the explore page in the browser, with its loading and error states. */
export function Results({ params, ignored, results, actions }: ResultsProps) {
  const { data, error, isPlaceholderData, isFetchingNextPage } = results;
  const focusWhenLoaded = useFocusWhenLoaded(data?.pages.length ?? 0);
  const loadNext = (): void => {
    if (isFetchingNextPage) return;
    const shown = data?.pages.reduce((sum, { matches }) => sum + matches.length, 0) ?? 0;
    focusWhenLoaded(() => findMatchLink(shown));
    void results.fetchNextPage();
  };
  const repeat = (): void => {
    focusWhenLoaded(() => document.getElementById(RESULT_COUNT_ID));
    void results.refetch();
  };
  const failure =
    error === null ? null : <Failure error={error} onRetry={data === undefined ? repeat : loadNext} />;
  if (data === undefined) return failure;
  const nextButton = (
    <button type="button" className={BUTTON_CLASS} aria-disabled={isFetchingNextPage} onClick={loadNext}>
      {isFetchingNextPage ? 'Loading…' : 'Load more'}
    </button>
  );
  return (
    <>
      <ResultList
        params={params}
        pages={data.pages}
        ignored={ignored}
        actions={actions}
        isLoading={isPlaceholderData}
        nextButton={actions === undefined ? undefined : nextButton}
      />
      {failure}
    </>
  );
}

/** Returns the link of the endpoint with the given index in the list. */
function findMatchLink(index: number): HTMLElement | null | undefined {
  return document.querySelectorAll(`#${MATCH_LIST_ID} > li`)[index]?.querySelector('a');
}

/**
 * Message about a failed request, with a button that repeats the request. Screen readers read the message immediately.
 */
function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div role="alert" className="my-6 border-l-4 border-bad bg-panel px-4 py-3">
      <p className="font-semibold">The endpoints could not be loaded.</p>
      <p className="mt-1 [overflow-wrap:anywhere]">{toCallError(error).text}</p>
      <p className="mt-3">
        <button type="button" className={BUTTON_CLASS} onClick={onRetry}>
          Try again
        </button>
      </p>
    </div>
  );
}

/**
 * Returns a function that moves the focus after the next page is loaded. Without this function, the focus would be
 * lost, because the pressed button is removed. If the visitor has moved the focus, the focus stays there.
 */
function useFocusWhenLoaded(pages: number): (find: () => HTMLElement | null | undefined) => void {
  const request = useRef<{
    readonly from: Element | null;
    readonly find: () => HTMLElement | null | undefined;
  }>(null);
  useEffect(() => {
    const { current } = request;
    if (current === null) return;
    request.current = null;
    const focused = document.activeElement;
    if (focused === current.from || focused === document.body) current.find()?.focus();
  }, [pages]);
  return (find) => {
    request.current = { from: document.activeElement, find };
  };
}

/** Time during which a loaded result is shown again without a request, in milliseconds. */
const STALE_MS = 60_000;
/** Maximum number of repeated calls after a temporary failure. */
const MAX_RETRIES = 1;

const client = createExploreClient();

/** Loads the endpoints for the given parameters, page by page. The server already loaded the first page. */
export function useResults(params: ExploreParams, first: FirstPage) {
  const query = formatExploreParams(params);
  const isFirst = query === formatExploreParams(first.params);
  return useInfiniteQuery({
    queryKey: ['explore', query],
    queryFn: ({ pageParam, signal }) =>
      client.list.query({ params: formatExploreParams({ ...params, after: pageParam }) }, { signal }),
    initialPageParam: params.after,
    getNextPageParam: ({ next }) => next,
    ...(isFirst ? { initialData: { pages: [first.result], pageParams: [params.after] } } : {}),
    // The previous result stays on the page until the next result is loaded.
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
    retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
  });
}
