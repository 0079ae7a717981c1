import { endpointId } from './endpoint-id.ts';
import { normalizeEscapes } from './normalize-escapes.ts';
import { refuseHost } from './refuse-host.ts';
import { endpointSlug } from './slug.ts';

/** The longest canonical URL that is kept, in characters. */
const maxLength = 2048;

/** An address that names one endpoint, and how it is known everywhere. */
export interface CanonicalResource {
  readonly ok: true;
  /** The canonical URL. */
  readonly resource: string;
  /** The host name alone, without a port. */
  readonly host: string;
  /** Ten characters of base32, from the canonical URL alone. */
  readonly id: string;
  /** Words of host and path, then the id. */
  readonly slug: string;
  /** True for a URL with placeholders, which stands for many addresses and stays one endpoint. */
  readonly templated: boolean;
}

/** Why an address cannot be that of an endpoint: it is none, or its host is not public. */
interface NotAnEndpoint {
  readonly ok: false;
  readonly reason: string;
  readonly about: 'url' | 'host';
}

export type CanonicalResult = CanonicalResource | NotAnEndpoint;

const pathPlaceholder = /\{[^/{}]+\}|\/:[A-Za-z_][\w.-]*(?=\/|$)/;
const queryPlaceholder = /\{[^/{}]+\}/;

function refusal(reason: string, about: NotAnEndpoint['about'] = 'url'): CanonicalResult {
  return { ok: false, reason, about };
}

function refuseUrl(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `the scheme ${url.protocol.slice(0, -1).slice(0, 40)} is not https or http`;
  }
  if (url.username !== '' || url.password !== '') return 'the URL carries credentials';
  return url.port === '0' ? 'port 0 cannot be reached' : null;
}

/**
 * Gives the address of an endpoint its one canonical form, so that an endpoint that is listed in several
 * spellings is one endpoint.
 *
 * The URL is parsed as browsers do (WHATWG URL), which lowers the host and resolves dot segments. Default port,
 * fragment, a dot at the end of the host and an empty query are dropped. Percent-encoding is normalised after
 * RFC 3986, section 6.2.2: unreserved characters decoded, hex digits in capitals. Case and slashes of the path
 * and the order of the query mean something to servers and are kept. Placeholders keep their form, `{name}` or
 * `/:name`; encoded braces become braces.
 *
 * Canonicalising a canonical URL changes nothing.
 *
 * @param resource - An address as a directory or a visitor gives it.
 * @returns The canonical URL with its id and slug, or in words why it cannot be an endpoint.
 */
export function canonicalize(resource: string): CanonicalResult {
  if (resource.length > maxLength) return refusal(`the URL is longer than ${maxLength} characters`);
  const url = URL.parse(resource);
  if (url === null) return refusal('not an absolute URL');
  const host = url.hostname.replace(/\.$/, '');
  const reason = refuseUrl(url);
  if (reason !== null) return refusal(reason);
  const hostReason = refuseHost(host);
  if (hostReason !== null) return refusal(hostReason, 'host');
  const path = normalizeEscapes(url.pathname);
  const query = normalizeEscapes(url.search);
  const port = url.port === '' ? '' : `:${url.port}`;
  const canonical = `${url.protocol}//${host}${port}${path}${query}`;
  if (canonical.length > maxLength) return refusal(`the URL is longer than ${maxLength} characters`);
  const id = endpointId(canonical);
  const templated = pathPlaceholder.test(path) || queryPlaceholder.test(query);
  return { ok: true, resource: canonical, host, id, slug: endpointSlug({ host, path, id }), templated };
}
