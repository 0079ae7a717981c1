import { NextResponse, type NextRequest } from 'next/server';
import { refuseUnroutable, refuseUnlessRead } from './api/refuse-before-route.ts';
import { acceptsHtml } from './api/accepts-html.ts';
import { routeEndpointPage } from './endpoint/endpoint-route.ts';
import { cacheSlugs } from './endpoint/slug-cache.ts';
import { getPublicStore } from './database/public-store.ts';

const canonicalSlug = cacheSlugs(
  async (endpointId) => (await getPublicStore().snapshot(endpointId))?.slug ?? null,
);

/** Files of `public/`, which Next fails on with status 500 when they are not asked for with GET. */
const PUBLIC_FILE = /\.js$|^openapi-explorer\.LICENSE\.txt$/;

/** Lets nothing through to the pages that would be rendered and kept under an address that is not theirs. */
export function proxy(request: NextRequest): Response | Promise<Response> {
  const [, room = '', ...rest] = request.nextUrl.pathname.split('/');
  switch (room) {
    case 'on-demand':
      return notFound(request);
    case 'trust':
      return refuseUnroutable(request) ?? chooseForm(request, rest);
    case 'endpoint':
      return refuseUnlessRead(request) ?? routePage(request, rest);
    case '':
    case 'docs':
    case 'methodology':
      return refuseUnlessRead(request) ?? NextResponse.next();
    default:
      if (PUBLIC_FILE.test(room)) return refuseUnlessRead(request) ?? NextResponse.next();
      return refuseUnroutable(request) ?? NextResponse.next();
  }
}

async function routePage(request: NextRequest, [slug, ...rest]: readonly string[]): Promise<Response> {
  if (slug === undefined || rest.length > 0) return notFound(request);
  const route = await routeEndpointPage(slug, canonicalSlug);
  switch (route.kind) {
    case 'serve':
      return NextResponse.next();
    case 'redirect':
      return NextResponse.redirect(new URL(`/endpoint/${route.slug}`, request.url), 308);
    case 'unknown':
      return notFound(request);
  }
}

/** The one page for everything that is not there; it is rendered once, whatever the address. */
function notFound(request: NextRequest): Response {
  return NextResponse.rewrite(new URL('/not-found', request.url));
}

/** The leaderboard and the statistics are pages for people and data for programs, at one address. */
function chooseForm(request: NextRequest, [name = '']: readonly string[]): Response {
  const asked = request.method === 'GET' || request.method === 'HEAD';
  const form = asked && acceptsHtml(request.headers.get('accept')) ? 'page' : 'json';
  const headers = { vary: 'Accept' };
  return NextResponse.rewrite(new URL(`/on-demand/${form}/${name}`, request.url), { headers });
}

// `/on-demand` is where the pages without a parameter are rendered; it is no address of its own. Inngest's calls and
// internal ones stay out: what passes here is cut off at the length in next.config.ts.
export const config = {
  matcher: [
    '/',
    '/docs',
    '/docs/explorer',
    '/methodology',
    '/endpoint/:path*',
    '/on-demand/:path*',
    '/trust/leaderboard',
    '/trust/stats',
    '/v1/:path*',
    '/schemas/:path*',
    '/.well-known/:path*',
    '/api/:path((?!inngest|internal|health).*)',
    '/openapi.json',
    '/llms.txt',
    '/:script([^/]+\\.js)',
    '/openapi-explorer.LICENSE.txt',
  ],
};
