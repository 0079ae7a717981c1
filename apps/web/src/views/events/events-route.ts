import { createProblem, ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { freeLimiter, getClient } from '../../api/rate-limit/limiters.ts';
import {
  EVENTS_MAX_AGE_SECONDS,
  createDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { findEndpoint, findProvider, respondNotFound } from '../../serving/known-pages/known-pages.ts';
import { parseEndpointId } from '../../serving/known-pages/page-paths.ts';
import { routePageWithParams } from '../../serving/route-page.ts';
import {
  FEED_TYPES,
  formatEventParams,
  parseEventParams,
  type EventFilter,
  type FeedFormat,
  type ParsedEventParams,
} from './event-params.ts';
import { createEventsFeed } from './events-feed.ts';
import { loadFeedEvents } from './load-events.ts';

/** Routes a request for the events page, with or without parameters. */
export function routeEventsPage(
  request: NextRequest,
  limiter: Limiter,
  { params, ignored }: ParsedEventParams,
): Promise<Response> {
  const query = formatEventParams(params);
  return routePageWithParams(request, limiter, { path: '/on-demand/page/events', query, ignored });
}

const UNKNOWN_SUBJECT =
  'The catalog has no such endpoint or host. endpoint is the last part of the URL of an endpoint page, host the last part of the URL of a provider page.';

/** Responds with a feed of the newest events of all endpoints, of one host or of one endpoint. */
async function respondWithFeed(request: Request, format: FeedFormat): Promise<Response> {
  const { params, ignored } = parseEventParams(new URL(request.url).searchParams);
  if (ignored.length > 0) {
    const kinds = ECOSYSTEM_EVENT_KINDS.join(', ');
    const detail = `kind must be one of ${kinds}; endpoint the last part of the URL of an endpoint page; host a host name. Received ${ignored.join(', ')}.`;
    return createProblemResponse(createProblem('invalid-request', detail));
  }
  const found = await findSubject(params, getClient(request));
  if (found !== null && found.kind !== 'found')
    return respondNotFound(found, parseEndpointId(params.endpoint ?? ''), UNKNOWN_SUBJECT);
  const source = { filter: params, subject: found?.value ?? null, origin: getSiteOrigin(process.env) };
  return createDocumentResponse(request, {
    text: createEventsFeed(format, await loadFeedEvents(params), source),
    type: `${FEED_TYPES[format]}; charset=utf-8`,
    maxAgeSeconds: EVENTS_MAX_AGE_SECONDS,
  });
}

/** Finds the URL of the endpoint, or the host, in a filter; null for a filter without both. */
function findSubject({ endpoint, host }: EventFilter, client: string) {
  const endpointId = endpoint === null ? null : parseEndpointId(endpoint);
  const store = getPublicStore();
  if (endpointId !== null) {
    const query = async () => (await store.readSnapshot(endpointId))?.resource ?? null;
    return findEndpoint({ name: endpointId, client, query });
  }
  if (host === null) return null;
  return findProvider({
    name: host,
    client,
    query: async () => ((await store.hasProvider(host)) ? host : null),
  });
}

/** Creates the handlers of `/events.atom` and `/events.json`. */
const createFeedRoute = (format: FeedFormat) =>
  route({ GET: (request) => respondWithFeed(request, format) }, { limiter: freeLimiter });

export const atomRoute = createFeedRoute('atom');
export const jsonFeedRoute = createFeedRoute('json');
