import { NextResponse, type NextRequest } from 'next/server';
import type { Limiter } from '../api/rate-limit/create-limiter.ts';
import { refuseUnlessRead } from '../api/refuse-before-route.ts';

/** Parameters of a page for its internal path. */
export interface PageParams {
  /** Valid parameters, formatted as the query of a URL without the question mark. */
  readonly query: string;
  /** Invalid values of the URL, for the notice on the page. No value contains a line break. */
  readonly ignored: readonly string[];
}

/** Separator between the query and the ignored values. */
const SEPARATOR = '\n';

/**
 * Routes a request for a page with optional URL parameters. The page without parameters is cached like other pages. A
 * page with parameters is rendered for each request, so these requests are rate-limited and their responses must not be
 * stored.
 *
 * @param page parameters, and the internal path of the page without parameters
 */
export async function routePageWithParams(
  request: NextRequest,
  limiter: Limiter,
  page: PageParams & { readonly path: string },
): Promise<Response> {
  if (page.query === '' && page.ignored.length === 0)
    return NextResponse.rewrite(new URL(page.path, request.url));
  const target = new URL(`${page.path}/${encodePageParams(page)}`, request.url);
  return limiter(request, () =>
    Promise.resolve(NextResponse.rewrite(target, { headers: { 'cache-control': 'no-store' } })),
  );
}

export interface FormPage {
  /** Name of the route of the form below `/on-demand/form`. */
  readonly name: 'check' | 'dispute';
  readonly routePage: (request: NextRequest, limiter: Limiter) => Promise<Response>;
}

/** Routes a request for a page with a form. The form is sent with POST to the path of the page. */
export function routeFormPage(
  request: NextRequest,
  limiter: Limiter,
  { name, routePage }: FormPage,
): Response | Promise<Response> {
  const refused = refuseUnlessRead(request, ['GET', 'POST']);
  if (refused !== null) return refused;
  if (request.method !== 'POST') return routePage(request, limiter);
  return NextResponse.rewrite(new URL(`/on-demand/form/${name}`, request.url));
}

/**
 * Encodes parameters as one path segment. The parsers limit the length of every value, so the segment has a maximum
 * length.
 */
export function encodePageParams({ query, ignored }: PageParams): string {
  return Buffer.from([query, ...ignored].join(SEPARATOR), 'utf8').toString('base64url');
}

/** Decodes a path segment from `encodePageParams`. */
export function decodePageParams(segment: string): PageParams {
  const [query = '', ...ignored] = Buffer.from(segment, 'base64url').toString('utf8').split(SEPARATOR);
  return { query, ignored };
}
