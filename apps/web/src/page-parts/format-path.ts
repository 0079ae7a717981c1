/**
 * Formats the URL of an endpoint for a list of one host: its path and query. The root path is shown as `/`. A URL with
 * a port or without TLS is shown with its host, so that two endpoints of a host never have the same text.
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
