import { createProblem, ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import { toPlainText } from '@touchstone/ui';
import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import {
  EVENTS_MAX_AGE_SECONDS,
  createDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { routePageWithParams } from '../../serving/route-page.ts';
import { formatEventParams, parseEventParams } from './event-params.ts';
import { ATOM_TYPE, createEventsFeed } from './events-feed.ts';
import { loadFeedEvents } from './load-events.ts';

/** Routes a request for the events page, with or without parameters. */
export function routeEventsPage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { params, ignored } = parseEventParams(request.nextUrl.searchParams);
  const query = formatEventParams(params);
  return routePageWithParams(request, limiter, { path: '/on-demand/page/events', query, ignored });
}

/** Responds with the Atom feed of the newest events. The parameter `kind` selects one kind. */
async function respondWithFeed(request: Request): Promise<Response> {
  const text = new URL(request.url).searchParams.get('kind') ?? '';
  const kind = ECOSYSTEM_EVENT_KINDS.find((each) => each === text) ?? null;
  if (text !== '' && kind === null) {
    const received = JSON.stringify(toPlainText(text, 60));
    const detail = `kind must be one of ${ECOSYSTEM_EVENT_KINDS.join(', ')}; received ${received}. Leave it out for all kinds.`;
    return createProblemResponse(createProblem('invalid-request', detail));
  }
  return createDocumentResponse(request, {
    text: createEventsFeed(await loadFeedEvents(kind), { kind, origin: getSiteOrigin(process.env) }),
    type: `${ATOM_TYPE}; charset=utf-8`,
    maxAgeSeconds: EVENTS_MAX_AGE_SECONDS,
  });
}

/** Handlers of `/events.atom`. */
export const eventsFeedRoute = route({ GET: respondWithFeed }, { limiter: freeLimiter });
