import {
  getHeaderValues,
  getMethodAfterRedirect,
  isRequestableUrl,
  isRedirectStatus,
} from '@touchstone/common';
import type { RawResponse } from './exchange.ts';
import type { RequestInput } from './request-once.ts';

/**
 * Returns the URL to which a response redirects, without fragment. Reads the target as the Fetch standard does
 * (HTTP-redirect fetch). Unlike fetch, a redirect from https to http is refused. A redirect to another host is also
 * refused for methods such as DELETE, which a seller could otherwise let this service send to third parties.
 *
 * @param request the request that received the response
 * @returns null for a response that is no redirect, and for a target that is missing, invalid or refused
 */
export function readRedirectTarget(
  { status, headers }: Pick<RawResponse, 'status' | 'headers'>,
  { url: base, method }: Pick<RequestInput, 'url' | 'method'>,
): URL | null {
  const locations = getHeaderValues(headers, 'location');
  if (!isRedirectStatus(status) || locations.length === 0) return null;
  // Node decodes header fields as Latin-1. Fetch decodes the bytes of this field as UTF-8.
  const url = URL.parse(Buffer.from(locations.join(', '), 'latin1').toString(), base.href);
  if (url === null || !isRequestableUrl(url)) return null;
  if (url.username !== '' || url.password !== '') return null;
  if (base.protocol === 'https:' && url.protocol === 'http:') return null;
  if (url.host !== base.host && !/^(?:GET|POST)$/.test(getMethodAfterRedirect(status, method))) return null;
  url.hash = '';
  return url;
}
