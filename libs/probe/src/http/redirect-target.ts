import type { RawResponse } from './exchange.ts';

/** Statuses of the redirects that the Fetch standard follows. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the URL to which a response redirects, without fragment. Reads the target as the Fetch standard does
 * (HTTP-redirect fetch). Unlike fetch, a redirect from https to http is refused.
 *
 * @param base URL of the request that received the response
 * @returns null for a response that is no redirect, and for a target that is missing, invalid or refused
 */
export function readRedirectTarget(
  { status, headers }: Pick<RawResponse, 'status' | 'headers'>,
  base: URL,
): URL | null {
  const locations = headers.filter(([name]) => name.toLowerCase() === 'location').map(([, value]) => value);
  if (!REDIRECT_STATUSES.has(status) || locations.length === 0) return null;
  // Node decodes header fields as Latin-1. Fetch decodes the bytes of this field as UTF-8.
  const url = URL.parse(Buffer.from(locations.join(', '), 'latin1').toString(), base.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return null;
  if (url.username !== '' || url.password !== '') return null;
  if (base.protocol === 'https:' && url.protocol === 'http:') return null;
  url.hash = '';
  return url;
}

/** Returns the method of the request after a redirect. A request whose method becomes GET has no body. */
export function getMethodAfterRedirect(status: number, method: string): string {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === 'POST');
  return becomesGet ? 'GET' : method;
}
