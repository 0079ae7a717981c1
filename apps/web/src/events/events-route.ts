import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { encodeEventParams, formatEventParams, parseEventParams } from './event-params.ts';

const PAGE_PATH = '/on-demand/page/events';

/**
 * Routes a request for the events page. The page without parameters is cached like other pages. A page with parameters
 * is rendered for each request, so these requests are rate-limited and their responses must not be stored.
 */
export async function routeEventsPage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const parsed = parseEventParams(request.nextUrl.searchParams);
  if (parsed.ignored.length === 0 && formatEventParams(parsed.params) === '')
    return NextResponse.rewrite(new URL(PAGE_PATH, request.url));
  const page = new URL(`${PAGE_PATH}/${encodeEventParams(parsed)}`, request.url);
  return limiter(request, () =>
    Promise.resolve(NextResponse.rewrite(page, { headers: { 'cache-control': 'no-store' } })),
  );
}
