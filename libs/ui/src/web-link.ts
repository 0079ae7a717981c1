/**
 * The address to link a resource to, or null when it must not become a link: only http and https ever do, whatever a
 * stranger advertised.
 */
export function webLink(resource: string): string | null {
  const url = URL.parse(resource);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}
