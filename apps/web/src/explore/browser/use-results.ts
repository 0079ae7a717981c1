import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { isTemporary } from '../../watch/api/call-error.ts';
import { formatExploreParams, type ExploreParams } from '../explore-params.ts';
import type { FirstPage } from '../first-page.ts';
import { createExploreClient } from './explore-client.ts';

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
    // The last result stays on the page until the next one is loaded.
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
    retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
  });
}
