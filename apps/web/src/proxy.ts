import { NextResponse, type NextRequest } from 'next/server';
import { routeEndpoint } from './endpoint-route.ts';
import { rememberSlugs } from './known-slugs.ts';
import { publicStore } from './public-data.ts';

const canonicalSlug = rememberSlugs(
  async (endpointId) => (await publicStore().snapshot(endpointId))?.slug ?? null,
);

/** Lets nothing through to the pages that would be rendered and kept under an address that is not theirs. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const [, room, slug, ...rest] = request.nextUrl.pathname.split('/');
  if (room !== 'endpoint' || slug === undefined || rest.length > 0) return notFound(request);
  const route = await routeEndpoint(slug, canonicalSlug);
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
function notFound(request: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL('/not-found', request.url));
}

// `/on-demand` is where the pages without a parameter are rendered; it is no address of its own.
export const config = { matcher: ['/endpoint/:path*', '/on-demand/:path*'] };
