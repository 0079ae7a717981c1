import { LRUCache } from 'lru-cache';
import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { refuseRequest } from '../../api/route.ts';
import { SEARCH_RETRY_SECONDS, SearchBusyError } from '../../operations/search-queue.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { toLimitedRefusal } from '../../serving/known-pages/known-pages.ts';
import { decodePageParams, encodePageParams, routePageWithParams } from '../../serving/route-page.ts';
import { type ParsedParams, formatExploreParams, parseExploreParams } from './explore-params.ts';
import type { FirstPage } from './list-endpoints.ts';
import { findSearchTarget, type PageLookups, type SearchTarget } from './search-target.ts';

export interface ExploreRoute {
  readonly limiter: Limiter;
  /** Finds the pages that a URL or a host as the text of a search opens. */
  readonly lookups: PageLookups;
  /**
   * Lists the endpoints of a page.
   *
   * @throws SearchBusyError if too many searches wait
   */
  readonly list: (page: ParsedParams) => Promise<FirstPage>;
}

/**
 * Routes a request for the explore page, with or without parameters. The search for a URL or a host opens a page. For
 * any other page with parameters, the search runs here. If too many searches wait, the request gets a page with status
 * 429 instead.
 */
export function routeExplorePage(
  request: NextRequest,
  { limiter, lookups, list }: ExploreRoute,
): Promise<Response> {
  const parsed = parseExploreParams(request.nextUrl.searchParams);
  const page = { query: formatExploreParams(parsed.params), ignored: parsed.ignored };
  const limitSearches: Limiter = (_, respond) =>
    limiter(request, async () => {
      // If the lookup fails, the search fails too, and its page reports the error.
      const target = await findSearchTarget(parsed.params, lookups).catch(() => null);
      if (target !== null) return respondWithTarget(request, target);
      const found = list(parsed);
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

function respondWithTarget(request: NextRequest, target: SearchTarget): Response {
  const headers = { 'cache-control': 'no-store' };
  switch (target.kind) {
    case 'page':
      return NextResponse.redirect(new URL(target.path, request.url), { status: 302, headers });
    case 'limited':
      return refuseRequest(request, ...toLimitedRefusal(target));
    case 'unmonitored': {
      const { resource, host, fault } = target.url;
      const segment = encodePageParams({ query: resource, ignored: [host ?? '', fault ?? ''] });
      const path = `/on-demand/page/unmonitored/${segment}`;
      return NextResponse.rewrite(new URL(path, request.url), { headers });
    }
  }
}

/** Maximum number of results in memory. One result has about 25 kB. A page takes its result out of the memory. */
const MAX_RESULTS = 500;
/** Maximum time for which a result is in memory, in milliseconds. */
const MAX_AGE_MS = 10_000;

/**
 * Returns the results of the latest searches by path segment. The proxy searches, because only the proxy can respond
 * with status 429, and the page shows the result.
 */
export const getExploreResults = () =>
  getProcessValue(
    'explore-results',
    () => new LRUCache<string, Promise<FirstPage>>({ max: MAX_RESULTS, ttl: MAX_AGE_MS }),
  );

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
