import { isPublicHost } from './public-host.ts';

/** A parameter of a route template. Source: @x402/core, `parseRoutePattern`. */
const PARAMETER = /:[a-zA-Z_][a-zA-Z0-9_]*/;
/** What the reference server writes for a wildcard. Source: @x402/extensions, `normalizeWildcardPattern`. */
const WILDCARD = /^:var\d+$/;

/** A URL, or null where the text is none. */
export function parseUrl(value: unknown): URL | null {
  return typeof value === 'string' ? URL.parse(value) : null;
}

/** A URL of the web, or null: a tool of an MCP server may be named by a URL of another scheme. */
export function parseHttpUrl(value: unknown): URL | null {
  const url = parseUrl(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** True when a resource that was requested at a public host calls itself by a host nobody outside can reach. */
export function advertisesPrivateHost(advertised: URL, requested: URL): boolean {
  return isPublicHost(requested) && !isPublicHost(advertised);
}

/**
 * True when an advertised resource URL names what was requested: same origin and path, the query left aside,
 * a slash at the end of no account.
 *
 * @param advertised URL of the envelope
 * @param requested URL that was asked
 * @param template route template of the discovery extension, as in `/users/:id`; see `matchesTemplate`
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
 * True when a path can be an instance of a route template: `:name` stands for one or more characters of a
 * segment, as in `/users/:id` and `/files/report-:year.csv`.
 *
 * The reference server writes `:var1`, `:var2` and so on for the wildcards of a route, which go on over slashes;
 * one at the end, as in `/wild/*`, also matches the path in front of it.
 * Source: @x402/core, `parseRoutePattern`; @x402/extensions, `normalizeWildcardPattern`.
 */
export function matchesTemplate(template: string, path: string): boolean {
  const wanted = splitPath(template);
  const given = splitPath(path);
  // How many segments of the path the template may have used up so far, in ascending order.
  let used = [0];
  for (const [index, part] of wanted.entries()) {
    const [least] = used;
    if (least === undefined) return false;
    used = WILDCARD.test(part)
      ? listNumbers(least + (index === wanted.length - 1 ? 0 : 1), given.length)
      : used.filter((at) => matchesSegment(part, given[at])).map((at) => at + 1);
  }
  return used.includes(given.length);
}

function listNumbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Step by step, since a stranger's template made into a regular expression can run for years. */
function matchesSegment(wanted: string, given: string | undefined): boolean {
  if (given === undefined || wanted === given) return given !== undefined;
  const [head = '', ...literals] = wanted.split(PARAMETER);
  const tail = literals.pop();
  if (tail === undefined || !given.startsWith(head)) return false;
  let end = head.length;
  for (const literal of literals) {
    const at = given.indexOf(literal, end + 1);
    if (at === -1) return false;
    end = at + literal.length;
  }
  return given.endsWith(tail) && given.length - tail.length > end;
}

function splitPath(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeSegment);
}

/** Half-way encoded paths are compared as they stand. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
