/**
 * Returns the URL for a link to a resource; null when it must not be linked. Only http and https URLs of untrusted
 * listings become links. Hosts under `.test` do not, because RFC 6761 reserves them and no browser can open them.
 */
export function toWebLink(resource: string): string | null {
  const url = URL.parse(resource);
  if (url === null || /(?:^|\.)test\.?$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
