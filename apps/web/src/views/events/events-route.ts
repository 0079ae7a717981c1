import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { routePageWithParams } from '../../serving/route-page.ts';
import { formatEventParams, parseEventParams } from './event-params.ts';

/** Routes a request for the events page, with or without parameters. */
export function routeEventsPage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { params, ignored } = parseEventParams(request.nextUrl.searchParams);
  const query = formatEventParams(params);
  return routePageWithParams(request, limiter, { path: '/on-demand/page/events', query, ignored });
}
