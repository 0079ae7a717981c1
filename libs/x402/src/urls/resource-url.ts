import { isPublicHost } from '@touchstone/common';
import { decodePercent } from '../json/untrusted-json.ts';

/** A parameter in a route template, such as `:id`. Source: @x402/core, `parseRoutePattern`. */
const PARAMETER = /:[a-zA-Z_][a-zA-Z0-9_]*/;
/**
 * Parameter that the reference server puts in place of a wildcard. Source: @x402/extensions,
 * `normalizeWildcardPattern`.
 */
const WILDCARD = /^:var\d+$/;

/** Parses an absolute URL; returns null for any other value. */
export function parseUrl(value: unknown): URL | null {
  return typeof value === 'string' ? URL.parse(value) : null;
}

/**
 * Parses an `http` or `https` URL; returns null for any other value. A tool of an MCP server may have a URL with
 * another scheme.
 */
export function parseHttpUrl(value: unknown): URL | null {
  const url = parseUrl(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/**
 * Returns true when the requested URL has a public host, but the advertised URL has a host that is not reachable from
 * the internet.
 */
export function advertisesPrivateHost(advertised: URL, requested: URL): boolean {
  return isPublicHost(requested) && !isPublicHost(advertised);
}

/**
 * Returns true when an advertised resource URL matches the requested URL: same origin and same path. The query and a
 * trailing slash are ignored. Different paths also match if both match the route template.
 *
 * @param advertised URL in the challenge
 * @param template route template of the discovery extension, such as `/users/:id`; see `matchesTemplate`
 */
export function matchesRequest(advertised: URL, requested: URL, template: string | null): boolean {
  if (advertised.origin !== requested.origin) return false;
  if (splitPath(advertised.pathname).join('/') === splitPath(requested.pathname).join('/')) return true;
  return (
    template !== null &&
    matchesTemplate(template, requested.pathname) &&
    matchesTemplate(template, advertised.pathname)
  );
}

/**
 * Returns true when an advertised resource URL matches the requested URL or the target of a followed redirect; see
 * `matchesRequest`. URLs that are not absolute never match.
 *
 * @param urls requested URL, then the targets
 */
export function matchesAnyRequest(
  advertised: URL,
  urls: readonly string[],
  template: string | null,
): boolean {
  return urls.some((url) => {
    const requested = parseUrl(url);
    return requested !== null && matchesRequest(advertised, requested, template);
  });
}

/**
 * Returns true when a path matches a route template. `:name` matches one or more characters within a segment, as in
 * `/users/:id` and `/files/report-:year.csv`.
 *
 * The reference server replaces the wildcards of a route by `:var1`, `:var2` and so on. A wildcard matches one or more
 * segments. At the end of a route, as in `/wild/*`, a wildcard also matches no segment.
 * Source: @x402/core, `parseRoutePattern`; @x402/extensions, `normalizeWildcardPattern`.
 */
export function matchesTemplate(template: string, path: string): boolean {
  const templateParts = splitPath(template);
  const pathParts = splitPath(path);
  // The template parts before the current part match the beginning of the path. Each number in this list is one
  // possible length of that beginning, in segments; the list is in ascending order.
  let matched = [0];
  for (const [index, part] of templateParts.entries()) {
    const [minimum] = matched;
    if (minimum === undefined) return false;
    matched = WILDCARD.test(part)
      ? listNumbers(minimum + (index === templateParts.length - 1 ? 0 : 1), pathParts.length)
      : matched.filter((count) => matchesSegment(part, pathParts[count])).map((count) => count + 1);
  }
  return matched.includes(pathParts.length);
}

function listNumbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/**
 * Returns true when a path segment matches one segment of a template. Uses no regular expression, because an expression
 * made from an untrusted template could run for a very long time.
 */
function matchesSegment(template: string, segment: string | undefined): boolean {
  if (segment === undefined || template === segment) return segment !== undefined;
  const [head = '', ...literals] = template.split(PARAMETER);
  const tail = literals.pop();
  if (tail === undefined || !segment.startsWith(head)) return false;
  let end = head.length;
  for (const literal of literals) {
    const start = segment.indexOf(literal, end + 1);
    if (start === -1) return false;
    end = start + literal.length;
  }
  return segment.endsWith(tail) && segment.length - tail.length > end;
}

/** Splits a path into decoded segments. A segment with invalid percent-encoding stays unchanged. */
function splitPath(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((segment) => decodePercent(segment) ?? segment);
}
