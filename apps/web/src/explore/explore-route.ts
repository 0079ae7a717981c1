import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { formatExploreParams, parseExploreParams } from './explore-params.ts';
import { encodeParams } from './explore-path.ts';

const PAGE_PATH = '/on-demand/page/explore';

/**
 * Routes a request for the explore page. The page without parameters is cached like other pages. A page with
 * parameters is rendered for each request, so these requests are rate-limited and their responses must not be stored.
 */
export async function routeExplorePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const parsed = parseExploreParams(request.nextUrl.searchParams);
  if (parsed.ignored.length === 0 && formatExploreParams(parsed.params) === '')
    return NextResponse.rewrite(new URL(PAGE_PATH, request.url));
  const page = new URL(`${PAGE_PATH}/${encodeParams(parsed)}`, request.url);
  return limiter(request, () =>
    Promise.resolve(NextResponse.rewrite(page, { headers: { 'cache-control': 'no-store' } })),
  );
}
