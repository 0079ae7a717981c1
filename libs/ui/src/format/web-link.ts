/**
 * Returns the URL for a link to a listed resource, or null if the page must not link to the resource. Listings are
 * untrusted, so only http and https URLs become links. Hosts under `.test` are excluded, because RFC 6761 reserves them
 * and no browser can open them.
 */
export function toWebLink(resource: string): string | null {
  const url = URL.parse(resource);
  if (url === null || /(?:^|\.)test\.?$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
