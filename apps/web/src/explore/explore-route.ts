import type { NextRequest } from 'next/server';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { routePageWithParams } from '../page-params/route-page.ts';
import { formatExploreParams, parseExploreParams } from './explore-params.ts';

/** Routes a request for the explore page, with or without parameters. */
export function routeExplorePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { params, ignored } = parseExploreParams(request.nextUrl.searchParams);
  const query = formatExploreParams(params);
  return routePageWithParams(request, limiter, { path: '/on-demand/page/explore', query, ignored });
}
