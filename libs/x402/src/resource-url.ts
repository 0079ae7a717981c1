import { isPublicHost } from './public-host.ts';

/** A URL, or null where the text is none. */
export function parseUrl(value: unknown): URL | null {
  return typeof value === 'string' ? URL.parse(value) : null;
}

/** A URL of the web, or null: a tool of an MCP server may be named by a URL of another scheme. */
export function parseWebUrl(value: unknown): URL | null {
  const url = parseUrl(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** True when a resource that was requested at a public host calls itself by a host nobody outside can reach. */
export function isHidden(advertised: URL, requested: URL): boolean {
  return isPublicHost(requested) && !isPublicHost(advertised);
}

/**
 * True when an advertised resource URL names what was requested: same origin and path, the query left aside,
 * a slash at the end of no account.
 *
 * @param advertised URL of the envelope
 * @param requested URL that was asked
 * @param template route template of the discovery extension, as in `/users/:id`; see `fitsTemplate`
 */
export function namesRequest(advertised: URL, requested: URL, template: string | null): boolean {
  if (advertised.origin !== requested.origin) return false;
  if (segments(advertised.pathname).join('/') === segments(requested.pathname).join('/')) return true;
  return (
    template !== null &&
    fitsTemplate(template, requested.pathname) &&
    fitsTemplate(template, advertised.pathname)
  );
}

/** True when a path can be an instance of a route template. A segment with a colon stands for any. */
export function fitsTemplate(template: string, path: string): boolean {
  const wanted = segments(template);
  const given = segments(path);
  return (
    wanted.length === given.length && wanted.every((part, at) => part.includes(':') || part === given[at])
  );
}

function segments(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
}

/** Half-way encoded paths are compared as they stand. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
