import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { ParamReader } from '../../page-parts/param-reader.ts';
import { parseEndpointId } from '../../serving/known-pages/page-paths.ts';
import { decodePageParams, routePageWithParams } from '../../serving/route-page.ts';

/** Maximum number of endpoints that are compared. */
export const MAX_COMPARED = 4;

/** Endpoints to compare, and the invalid values of the URL. */
export interface ComparedEndpoints {
  /** Ids of at most `MAX_COMPARED` endpoints in the order of the URL. */
  readonly ids: readonly string[];
  /** True if the URL names more endpoints. */
  readonly isCut: boolean;
  /** Ignored values, such as `endpoint=Z`, from `ParamReader`. */
  readonly ignored: readonly string[];
}

/** Parses the parameters of a URL. Each value of `endpoint` is the slug or the id of an endpoint. */
export function parseCompareParams(search: URLSearchParams): ComparedEndpoints {
  const reader = new ParamReader(search);
  const slugs = reader.readList('endpoint', (value): value is string => parseEndpointId(value) !== null);
  const ids = [...new Set(slugs.map((slug) => parseEndpointId(slug) ?? ''))];
  return { ids: ids.slice(0, MAX_COMPARED), isCut: ids.length > MAX_COMPARED, ignored: reader.ignored };
}

/** Routes a request for the page that compares endpoints. The page is rendered for each request. */
export function routeComparePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { ids, isCut, ignored } = parseCompareParams(request.nextUrl.searchParams);
  return routePageWithParams(request, limiter, {
    path: '/on-demand/page/compare',
    query: `endpoint=${ids.join(',')}${isCut ? '&cut' : ''}`,
    ignored,
  });
}

/** Decodes the path segment of the page. */
export function decodeCompareParams(segment: string): ComparedEndpoints {
  const { query, ignored } = decodePageParams(segment);
  const search = new URLSearchParams(query);
  return { ids: parseCompareParams(search).ids, isCut: search.has('cut'), ignored };
}
