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
