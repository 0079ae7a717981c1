import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { canSearch, SEARCH_RETRY_SECONDS } from '../../operations/search-queue.ts';
import { decodePageParams, routePageWithParams } from '../../serving/route-page.ts';
import { type ParsedParams, formatExploreParams, parseExploreParams } from './explore-params.ts';

/**
 * Routes a request for the explore page, with or without parameters. A page with parameters runs a search. While too
 * many searches wait, the request gets a page with status 429 instead.
 *
 * @param client client that sent the request, such as an IP address
 */
export function routeExplorePage(request: NextRequest, limiter: Limiter, client: string): Promise<Response> {
  const { params, ignored } = parseExploreParams(request.nextUrl.searchParams);
  const query = formatExploreParams(params);
  const limitSearches: Limiter = (_, respond) =>
    limiter(request, async () => ((await canSearch(client)) ? respond() : rewriteToBusy(request)));
  return routePageWithParams(request, limitSearches, {
    ...{ path: '/on-demand/page/explore', client, query, ignored },
  });
}

/** Rewrites a request to the page about too many searches. All searches share the page. */
function rewriteToBusy(request: NextRequest): Response {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(SEARCH_RETRY_SECONDS) };
  return NextResponse.rewrite(new URL('/on-demand/page/busy', request.url), { status: 429, headers });
}

/** Decodes the path segment of a page with parameters. */
export function decodeParams(segment: string): ParsedParams & { readonly client: string } {
  const { client, query, ignored } = decodePageParams(segment);
  return { params: parseExploreParams(new URLSearchParams(query)).params, ignored, client };
}
