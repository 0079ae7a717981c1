import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { decodePageParams, routePageWithParams } from '../../serving/route-page.ts';
import { type ParsedParams, formatExploreParams, parseExploreParams } from './explore-params.ts';

/** Routes a request for the explore page, with or without parameters. */
export function routeExplorePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { params, ignored } = parseExploreParams(request.nextUrl.searchParams);
  const query = formatExploreParams(params);
  return routePageWithParams(request, limiter, { path: '/on-demand/page/explore', query, ignored });
}

/** Decodes the path segment of a page with parameters. */
export function decodeParams(segment: string): ParsedParams {
  const { query, ignored } = decodePageParams(segment);
  return { params: parseExploreParams(new URLSearchParams(query)).params, ignored };
}
