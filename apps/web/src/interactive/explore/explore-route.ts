import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { runSearch, SEARCH_RETRY_SECONDS, SearchBusyError } from '../../operations/search-queue.ts';
import { decodePageParams, encodePageParams, routePageWithParams } from '../../serving/route-page.ts';
import { type ParsedParams, formatExploreParams, parseExploreParams } from './explore-params.ts';
import { getExploreResults } from './explore-results.ts';
import type { FirstPage } from './list-endpoints.ts';

export interface ExploreRoute {
  readonly limiter: Limiter;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
  /** Lists the endpoints of a page. */
  readonly list: (page: ParsedParams) => Promise<FirstPage>;
}

/**
 * Routes a request for the explore page, with or without parameters. For a page with parameters, the search runs here.
 * If too many searches wait, the request gets a page with status 429 instead.
 */
export function routeExplorePage(
  request: NextRequest,
  { limiter, client, list }: ExploreRoute,
): Promise<Response> {
  const parsed = parseExploreParams(request.nextUrl.searchParams);
  const page = { query: formatExploreParams(parsed.params), ignored: parsed.ignored };
  const limitSearches: Limiter = (_, respond) =>
    limiter(request, async () => {
      const found = runSearch({ client, signal: request.signal }, () => list(parsed));
      // The page reports every other error.
      const isBusy = await found.then(
        () => false,
        (error: unknown) => error instanceof SearchBusyError,
      );
      if (isBusy) return rewriteToBusy(request);
      getExploreResults().set(encodePageParams(page), found);
      return respond();
    });
  return routePageWithParams(request, limitSearches, { path: '/on-demand/page/explore', ...page });
}

/** Rewrites a request to the page about too many searches. All searches share the page. */
function rewriteToBusy(request: NextRequest): Response {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(SEARCH_RETRY_SECONDS) };
  return NextResponse.rewrite(new URL('/on-demand/page/busy', request.url), { status: 429, headers });
}

/** Decodes the path segment of a page with parameters. */
export function decodeParams(segment: string): ParsedParams {
  const { query, ignored } = decodePageParams(segment);
  return { params: parseExploreParams(new URLSearchParams(query)).params, ignored };
}
