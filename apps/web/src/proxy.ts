import { NextResponse, type NextRequest } from 'next/server';
import { refuseRequest, refuseUnknownPath } from './api/route.ts';
import { refuseUnroutable, refuseUnlessRead } from './api/refuse-before-route.ts';
import { FORMAT_VARY, chooseFormat, readPreferredFormat } from './api/choose-format.ts';
import { freeLimiter, getClient, getQueueClient } from './api/rate-limit/limiters.ts';
import {
  cacheFound,
  type PageRoute,
  routeEndpointPage,
  routeProviderPage,
} from './serving/known-pages/route-known-page.ts';
import { findCategory, routeCategoryPage } from './serving/known-pages/known-categories.ts';
import { routeFormPage, type FormPage } from './serving/route-page.ts';
import { parseEndpointId, UNKNOWN_SLUG } from './serving/known-pages/page-paths.ts';
import { parseEventParams, type EventParams } from './views/events/event-params.ts';
import { routeDisputePage } from './views/dispute/dispute-fields.ts';
import { routeComparePage } from './views/compare/compare-params.ts';
import { routeCheckPage } from './views/check/check-params.ts';
import { routeEventsPage } from './views/events/events-route.ts';
import { routeExplorePage } from './interactive/explore/explore-route.ts';
import type { PageLookups } from './interactive/explore/search-target.ts';
import { openExploreSource } from './interactive/explore/explore-source.ts';
import { listFirstPage } from './interactive/explore/list-endpoints.ts';
import { getSiteOrigin } from './platform/config/config.ts';
import { getPublicStore } from './platform/database/databases.ts';
import { findEndpoint, findProvider, toLimitedRefusal } from './serving/known-pages/known-pages.ts';

const findPageTarget = cacheFound((endpointId) => getPublicStore().findPageTarget(endpointId));

const findHost = cacheFound(async (host) => (await getPublicStore().hasProvider(host)) || null);

/**
 * Pattern of the files in `public/`. The proxy refuses methods other than GET and HEAD on these files, because Next
 * would respond with status 500.
 */
const PUBLIC_FILE = /\.js$/;

/**
 * Routes every request. A request for an unknown URL gets the shared not-found page, also if Next itself has a route for
 * the URL, such as the image optimizer. A request for a non-canonical URL is redirected, so that such a URL is not cached
 * as a page.
 */
export function proxy(request: NextRequest): Response | Promise<Response> {
  const [, firstSegment = '', ...rest] = request.nextUrl.pathname.split('/');
  switch (firstSegment) {
    case 'trust':
      return refuseUnroutable(request) ?? routeStatistics(request, rest);
    case 'mcp':
      return refuseUnroutable(request) ?? routeMcp(request, rest);
    case 'endpoint':
      return routeEndpoint(request, rest);
    case 'badge':
    case 'picture':
    case 'events.atom':
    case 'events.json':
    case 'corrections.json':
    case 'delivery.json':
    case 'robots.txt':
    case 'sitemap.xml':
    case 'sitemap':
      return refuseUnlessRead(request) ?? refuseUnroutable(request) ?? NextResponse.next();
    case 'explore':
      return refuseUnlessRead(request) ?? routeExplore(request, rest);
    case 'compare':
      return refuseUnlessRead(request) ?? routeCompare(request, rest);
    case 'check':
      return routeForm(request, rest, { name: 'check', routePage: routeCheckPage });
    case 'events':
      return refuseUnlessRead(request) ?? routeEvents(request, rest);
    case 'category':
      return refuseUnlessRead(request) ?? routeCategory(request, rest);
    case 'provider':
      return refuseUnlessRead(request) ?? routeProvider(request, rest);
    case 'dispute':
      return routeForm(request, rest, { name: 'dispute', routePage: routeDisputePage });
    case '':
    case 'docs':
    case 'methodology':
    case 'watch':
    case 'about':
    case 'claim':
    case 'corrections':
    case 'delivery':
    case 'status':
    case 'icon.svg':
    case 'favicon.ico':
    case 'apple-icon.png':
      return refuseUnlessRead(request) ?? NextResponse.next();
    case 'v1':
    case 'api':
    case 'schemas':
    case '.well-known':
      return refuseUnroutable(request) ?? NextResponse.next();
    case 'openapi.json':
    case 'llms.txt':
      if (rest.length > 0) return rewriteToNotFound(request);
      return refuseUnroutable(request) ?? NextResponse.next();
    default:
      if (PUBLIC_FILE.test(firstSegment)) return refuseUnlessRead(request) ?? NextResponse.next();
      return rewriteToNotFound(request);
  }
}

/** Routes a request for the page or the summary of an endpoint. The URL of a summary ends with `.json`. */
function routeEndpoint(
  request: NextRequest,
  [name, ...rest]: readonly string[],
): Response | Promise<Response> {
  const isSummary = rest.length === 0 && name?.endsWith('.json') === true;
  if (isSummary) return refuseUnroutable(request) ?? rewriteToSummary(request, name);
  if (name === undefined || rest.length > 0) return refuseUnlessRead(request) ?? rewriteToNotFound(request);
  return refuseUnlessRead(request) ?? routeSlug(request, name);
}

/** Rewrites a request to the route of summaries. That route redirects other slugs of the endpoint. */
function rewriteToSummary(request: NextRequest, name: string): Response {
  const slug = name.slice(0, -'.json'.length);
  // A name such as `...json` must not change the path of the rewrite.
  if (parseEndpointId(slug) === null) return refuseRequest(request, ['unknown-resource', UNKNOWN_SLUG]);
  return rewriteToJson(request, `/endpoint/${slug}`);
}

/**
 * Rewrites a request for the JSON of a page to its route. The header `Link` tells search engines to list the page
 * instead (RFC 6596).
 *
 * @param route Path of the route after `/on-demand/json`.
 * @param page Path of the page.
 */
function rewriteToJson(request: NextRequest, route: string, page = route): Response {
  const url = new URL(`/on-demand/json${route}`, request.url);
  url.search = request.nextUrl.search;
  const link = `<${getSiteOrigin(process.env)}${page}>; rel="canonical"`;
  return NextResponse.rewrite(url, { headers: { link } });
}

/** Returns the lookups of pages for the client of a request. */
function createLookups(request: NextRequest): PageLookups {
  const client = getClient(request);
  return {
    endpoint: (id) => findEndpoint({ name: id, client, query: () => findPageTarget(id) }),
    host: (host) => findProvider({ name: host, client, query: () => findHost(host) }),
  };
}

async function routeSlug(request: NextRequest, slug: string): Promise<Response> {
  return respondToRoute(request, await routeEndpointPage(slug, createLookups(request).endpoint));
}

async function routeProvider(
  request: NextRequest,
  [name = '', ...rest]: readonly string[],
): Promise<Response> {
  if (rest.length > 0) return rewriteToNotFound(request);
  return respondToRoute(request, await routeProviderPage(name, createLookups(request).host));
}

async function routeCategory(
  request: NextRequest,
  [name = '', ...rest]: readonly string[],
): Promise<Response> {
  if (rest.length > 0) return rewriteToNotFound(request);
  return respondToRoute(request, await routeCategoryPage(name, findCategory));
}

function respondToRoute(request: NextRequest, route: PageRoute): Response {
  switch (route.kind) {
    case 'serve':
      return NextResponse.next();
    case 'redirect':
      return NextResponse.redirect(new URL(route.path, request.url), 308);
    case 'removed':
      return rewriteToGone(request);
    case 'limited':
      return refuseRequest(request, ...toLimitedRefusal(route));
    case 'unknown':
      return rewriteToNotFound(request);
  }
}

function routeExplore(request: NextRequest, rest: readonly string[]): Response | Promise<Response> {
  return rest.length > 0
    ? rewriteToNotFound(request)
    : routeExplorePage(request, {
        limiter: freeLimiter,
        lookups: createLookups(request),
        list: (page) =>
          listFirstPage(openExploreSource({ client: getQueueClient(request), signal: request.signal }), page),
      });
}

function routeCompare(request: NextRequest, rest: readonly string[]): Response | Promise<Response> {
  return rest.length > 0 ? rewriteToNotFound(request) : routeComparePage(request, freeLimiter);
}

/** Routes a request for a page with a form, which is sent with POST to the path of the page. */
function routeForm(request: NextRequest, rest: readonly string[], page: FormPage) {
  return rest.length > 0
    ? (refuseUnlessRead(request) ?? rewriteToNotFound(request))
    : routeFormPage(request, freeLimiter, page);
}

async function routeEvents(request: NextRequest, rest: readonly string[]): Promise<Response> {
  if (rest.length > 0) return rewriteToNotFound(request);
  const parsed = parseEventParams(request.nextUrl.searchParams);
  const route = await findEventSubject(request, parsed.params);
  // The page is not cached and has one canonical URL, so any slug of the endpoint is served.
  const isFound = route === null || route.kind === 'serve' || route.kind === 'redirect';
  return isFound ? routeEventsPage(request, freeLimiter, parsed) : respondToRoute(request, route);
}

/** Looks up the endpoint or the host in the filter of the events page; null for a filter without both. */
function findEventSubject(request: NextRequest, { endpoint, host }: EventParams): Promise<PageRoute> | null {
  if (endpoint !== null) return routeEndpointPage(endpoint, createLookups(request).endpoint);
  return host === null ? null : routeProviderPage(encodeURIComponent(host), createLookups(request).host);
}

/**
 * Rewrites a request for the page about the MCP server. All other requests for `/mcp` go to the MCP server, and requests
 * for its card to the route of the card.
 */
function routeMcp(request: NextRequest, rest: readonly string[]): Response {
  if (rest.length > 0 && rest.join('/') !== 'server-card') return rewriteToNotFound(request);
  if (rest.length > 0 || !wantsMcpPage(request)) return NextResponse.next();
  return NextResponse.rewrite(new URL('/on-demand/page/mcp', request.url), {
    headers: { vary: FORMAT_VARY },
  });
}

/**
 * Rewrites a request to the not-found page. All unknown URLs share this page, so the page is rendered only once. Requests
 * with other methods get a problem, because Next would search the body of a POST request for a server action.
 */
function rewriteToNotFound(request: NextRequest): Response {
  if (!isRead(request)) return refuseUnknownPath(request);
  return NextResponse.rewrite(new URL('/not-found', request.url));
}

/**
 * Rewrites a request to the page about removed endpoints, with status 410. All removed endpoints share this page, so
 * the page is rendered only once.
 */
function rewriteToGone(request: NextRequest): Response {
  const headers = { 'cache-control': 'no-store' };
  return NextResponse.rewrite(new URL('/on-demand/page/gone', request.url), { status: 410, headers });
}

/**
 * Rewrites a request for the leaderboard or the statistics to the HTML page or to the JSON route. A path that ends with
 * `.json` is always JSON.
 */
function routeStatistics(request: NextRequest, [file = '', ...rest]: readonly string[]): Response {
  const name = file.replace(/\.json$/, '');
  if (rest.length > 0 || (name !== 'leaderboard' && name !== 'stats')) return rewriteToNotFound(request);
  if (name !== file) return rewriteToJson(request, `/${name}`, `/trust/${name}`);
  const { headers } = request;
  const chosen = chooseFormat({ accept: headers.get('accept'), userAgent: headers.get('user-agent') });
  const format = isRead(request) && chosen === 'html' ? 'page' : 'json';
  const url = new URL(`/on-demand/${format}/${name}`, request.url);
  return NextResponse.rewrite(url, { headers: { vary: FORMAT_VARY } });
}

/**
 * Returns true for a read request that does not come from an MCP client. Crawlers and link previews accept every type.
 * The GET request of an MCP client names `text/event-stream` (MCP specification, Streamable HTTP).
 */
function wantsMcpPage(request: NextRequest): boolean {
  if (!isRead(request)) return false;
  const accept = request.headers.get('accept') ?? '*/*';
  const preferred = readPreferredFormat(accept);
  if (preferred !== null) return preferred === 'html';
  return accept.includes('*/*') && !/\btext\/event-stream\b/i.test(accept);
}

function isRead({ method }: NextRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

// Paths that the proxy handles: all paths but the static files of the build and some paths of the API. Thus the proxy
// hides the internal routes of the site and of Next with the not-found page. The paths of Inngest and the internal API
// are excluded, because Next truncates the request bodies of all paths that the proxy handles (see next.config.ts). The
// paths for monitoring are excluded, because these paths must respond even if the database does not respond.
export const config = {
  matcher: [
    '/:path((?!_next/static/|v1(?:/|$)|api(?:/|$)).*)',
    // The first pattern excludes requests with a payment. Such requests go to their route directly, because the proxy
    // would take two milliseconds. On a host without our web server (src/serving/server), Next itself responds to
    // requests with an unknown method. The second pattern matches paths with percent-encoding, because the encoding can
    // be invalid.
    {
      source: '/v1/:path*',
      missing: [
        { type: 'header', key: 'payment-signature' },
        { type: 'header', key: 'x-payment' },
      ],
    },
    '/v1/:path(.*%.*)',
    '/api/:path((?!(?:inngest|internal|health|metrics)(?:/|$)).*)',
  ],
};
