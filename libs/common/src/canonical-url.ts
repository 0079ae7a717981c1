import { MAX_RESOURCE_CHARS } from './constants.ts';
import { findNonPublicReason, parseIpAddress } from './ip-address.ts';

/** Canonical URL of an endpoint. */
export interface CanonicalUrl {
  readonly ok: true;
  /** The canonical URL. */
  readonly resource: string;
  /** Host name without the port. */
  readonly host: string;
  /** True for a URL template with placeholders. A template matches many URLs, but counts as one endpoint. */
  readonly templated: boolean;
}

/** Result for a URL that cannot be an endpoint. `about` is `host` if the host is the cause, else `url`. */
export interface InvalidResource {
  readonly ok: false;
  readonly reason: string;
  readonly about: 'url' | 'host';
}

const PATH_PLACEHOLDER = /\{[^/{}]+\}|\/:[A-Za-z_][\w.-]*(?=\/|$)/;
const QUERY_PLACEHOLDER = /\{[^/{}]+\}/;

function reject(reason: string, about: InvalidResource['about'] = 'url'): InvalidResource {
  return { ok: false, reason, about };
}

function findUrlFault(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `the scheme ${url.protocol.slice(0, -1).slice(0, 40)} is not https or http`;
  }
  if (url.username !== '' || url.password !== '') return 'the URL contains credentials';
  return url.port === '0' ? 'port 0 cannot be reached' : null;
}

/**
 * Canonicalizes the URL of an endpoint, so that different spellings of a URL give the same endpoint.
 *
 * The URL is parsed as in browsers (WHATWG URL). This lower-cases the host and resolves dot segments. Default port,
 * fragment, a trailing dot of the host and an empty query are removed. Percent-encoding is normalised as in RFC 3986,
 * section 6.2.2: unreserved characters are decoded and hex digits become upper case. Case and slashes of the path and
 * the order of query parameters are kept, because servers distinguish them. The two forms of placeholders, `{name}` and
 * `/:name`, are kept. Percent-encoded braces around a name are decoded.
 *
 * The function is idempotent: a canonical URL stays the same.
 *
 * @param resource - A URL from a directory or a user.
 * @returns The canonical URL, or the reason why it cannot be an endpoint.
 */
export function canonicalizeUrl(resource: string): CanonicalUrl | InvalidResource {
  if (resource.length > MAX_RESOURCE_CHARS)
    return reject(`the URL is longer than ${MAX_RESOURCE_CHARS} characters`);
  // Not `URL.parse`, because early versions of Node.js 20 lack this function.
  if (!URL.canParse(resource)) return reject('not an absolute URL');
  const url = new URL(resource);
  const host = url.hostname.replace(/\.$/, '');
  const reason = findUrlFault(url);
  if (reason !== null) return reject(reason);
  const hostReason = findHostFault(host);
  if (hostReason !== null) return reject(hostReason, 'host');
  const path = normalizePercentEncoding(url.pathname);
  const query = normalizePercentEncoding(url.search);
  const port = url.port === '' ? '' : `:${url.port}`;
  const canonical = `${url.protocol}//${host}${port}${path}${query}`;
  if (canonical.length > MAX_RESOURCE_CHARS)
    return reject(`the URL is longer than ${MAX_RESOURCE_CHARS} characters`);
  const templated = PATH_PLACEHOLDER.test(path) || QUERY_PLACEHOLDER.test(query);
  return { ok: true, resource: canonical, host, templated };
}

const UNRESERVED_CHARACTER = /^[A-Za-z0-9\-._~]$/;

/** Placeholder with percent-encoded braces. Some templates use double braces. */
const ENCODED_PLACEHOLDER = /(?:%7B)+([\w.:+*~-]+)(?:%7D)+/g;

function normalizeEscape(escape: string, digits: string | undefined): string {
  // A percent sign without two hex digits is ordinary data. The sign is encoded, because an unencoded sign could form an
  // escape with the characters that follow.
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return UNRESERVED_CHARACTER.test(character) ? character : escape.toUpperCase();
}

/**
 * Normalises the percent-encoding of a path or a query (RFC 3986, section 6.2.2) and writes placeholders as `{name}`.
 * Braces without a name between them stay percent-encoded, because they are ordinary data.
 *
 * @param text - A path or query as the URL parser serialises it.
 */
function normalizePercentEncoding(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})?/gi, normalizeEscape)
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D')
    .replace(ENCODED_PLACEHOLDER, '{$1}');
}

/**
 * Pattern of one DNS label (RFC 1035, section 2.3.1). Underscores are allowed, because some hosts contain them (RFC
 * 2181).
 */
const DNS_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function findNameFault(host: string): string | null {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((part) => DNS_LABEL.test(part)))
    return 'the host is not a domain name';
  if (labels.at(-1) === 'localhost') return 'the host is localhost';
  return labels.length === 1 ? 'the host name has no dot, so it is not public' : null;
}

/**
 * Returns the reason why a host cannot serve a public endpoint.
 *
 * @param host - The host name as the URL parser serialises it, an IPv6 address in brackets.
 * @returns The reason; null for a public host.
 */
function findHostFault(host: string): string | null {
  const address = parseIpAddress(host.replace(/^\[|\]$/g, ''));
  if (address === null) return findNameFault(host);
  return findNonPublicReason(address) === null ? null : 'the host is not a public address';
}
