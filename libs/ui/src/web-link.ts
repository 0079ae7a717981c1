/**
 * The address to link a resource to, or null when it must not become a link: only http and https ever do, whatever a
 * stranger advertised, and no host under `.test`, which RFC 6761 reserves and nobody can open.
 */
export function webLink(resource: string): string | null {
  const url = URL.parse(resource);
  if (url === null || /(?:^|\.)test\.?$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
