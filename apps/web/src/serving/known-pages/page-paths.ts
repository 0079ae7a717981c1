/** Pattern of a slug: words from the host and the path of a URL, then the endpoint id of ten base32 characters. */
const SLUG_PATTERN = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*-)?([a-z2-7]{10})$/;

const MAX_SLUG_LENGTH = 91;

/**
 * Parses the endpoint id from the slug of an endpoint page.
 *
 * @returns The endpoint id: the last ten characters of the slug; null if the slug is invalid.
 */
export function parseEndpointId(slug: string): string | null {
  return slug.length > MAX_SLUG_LENGTH ? null : (SLUG_PATTERN.exec(slug)?.[1] ?? null);
}

/** Detail of the error for the summary of an unknown endpoint. */
export const UNKNOWN_SLUG =
  'No endpoint in the catalog has this slug. Use GET /v1/x402-summary with the URL of the endpoint.';

/** Maximum length of a host name in characters (RFC 1035, section 2.3.4). */
const MAX_HOST_LENGTH = 253;
/**
 * Pattern of a host in the catalog: labels of lower-case letters, digits, hyphens and underscores, or an IPv6 address
 * in brackets. The pattern of labels also matches IPv4 addresses.
 */
const HOST_PATTERN = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]{2,45}\])$/;

/** Returns true for a text that can be a host of the catalog. */
export function isHost(text: string): boolean {
  return text.length <= MAX_HOST_LENGTH && HOST_PATTERN.test(text);
}

/** Returns the path of the page of a host. */
export function toProviderPath(host: string): string {
  return `/provider/${encodeURIComponent(host)}`;
}

/**
 * Parses the host in the path of a provider page.
 *
 * @param part Untrusted last segment of the path, percent-encoded.
 * @returns The host in lower case; null if the segment is not a host.
 */
export function parseHost(part: string): string | null {
  try {
    const host = decodeURIComponent(part).toLowerCase();
    return isHost(host) ? host : null;
  } catch {
    // `decodeURIComponent` rejects invalid percent-encoding.
    return null;
  }
}

/**
 * Formats the URL of an endpoint for a list of endpoints with the same host. The text is the path and the query, or `/`
 * for the root path. If the URL has a port or no TLS, the text includes the host, so that two endpoints never have the
 * same text.
 *
 * @param resource Canonical URL of the endpoint.
 */
export function formatPath(resource: string): string {
  const [, scheme = '', authority = '', path = resource] =
    /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(resource) ?? [];
  if (scheme.toLowerCase() !== 'https') return resource;
  if (/:\d+$/.test(authority)) return `${authority}${path}`;
  return path === '' ? '/' : path;
}
