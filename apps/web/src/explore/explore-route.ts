import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { encodeQuery } from './search-query.ts';

const PAGE_PATH = '/on-demand/page/explore';

/**
 * Routes a request for the search page. The page without a query is cached like other pages. A page with a query is
 * rendered for each request, so these requests are rate-limited and their responses must not be stored.
 */
export async function routeExplorePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const query = encodeQuery(request.nextUrl.searchParams.get('q') ?? '');
  if (query === '') return NextResponse.rewrite(new URL(PAGE_PATH, request.url));
  const page = new URL(`${PAGE_PATH}/${query}`, request.url);
  return limiter(request, () =>
    Promise.resolve(NextResponse.rewrite(page, { headers: { 'cache-control': 'no-store' } })),
  );
}
