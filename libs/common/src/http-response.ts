/** Maximum number of redirects that a probe follows. Clients follow up to 20. Source: Fetch standard, 4.4. */
export const MAX_REDIRECTS = 3;

export interface Redirect {
  /** HTTP status of the redirecting response. */
  readonly status: number;
  /** Absolute URL to which the redirect leads. */
  readonly url: string;
}

/**
 * End of the body of a response. `complete`: the body was received to its end. `size-limit`: the reader kept only
 * the part up to its own size limit. `too-long`: the reader stopped far beyond this limit, so the end of a challenge is
 * unknown. `deadline`: the body had not ended at the deadline of the request. `closed`: the connection ended
 * before the body. `undecodable`: the body was received, but its content coding or framing is invalid.
 */
export type BodyEnd = 'complete' | 'size-limit' | 'too-long' | 'deadline' | 'closed' | 'undecodable';

/** Statuses of the redirects that clients follow. Source: Fetch standard, 4.4, HTTP-redirect fetch. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns true for a status with which fetch follows the Location header. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/** Returns the method of the request after a redirect. A request whose method becomes GET has no body. */
export function getMethodAfterRedirect(status: number, method: string): string {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === 'POST');
  return becomesGet ? 'GET' : method;
}

/** Ports to which fetch sends no request, such as those of mail servers. Source: Fetch standard, 2.9, bad port. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
  ],
  ...[515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723],
  ...[2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Returns true for an http or https URL with a port to which clients send requests. */
export function isRequestableUrl({ protocol, port }: URL): boolean {
  return /^https?:$/.test(protocol) && (port === '' || !BAD_PORTS.has(Number(port)));
}

/** Maximum number of content codings with which fetch of Node.js reads a response. Source: undici 7, `maxContentEncodings`. */
export const MAX_CONTENT_CODINGS = 5;

/**
 * Minimum size of response headers at which Node.js clients reject a response, in bytes: the default of Node's
 * `http.maxHeaderSize`, which `fetch` uses too.
 */
export const NODE_HEADER_LIMIT_BYTES = 16_384;

/**
 * Returns the size of the response headers as Node's `fetch` measures it: the bytes of all names and values. `fetch`
 * does not count the status line, the colons, the white space around the values and the line ends. `http.get` also
 * counts the reason phrase of the status line, so it rejects every response that `fetch` rejects.
 *
 * @param headers fields as received; each character of an HTTP/1.1 header is one byte
 */
export function measureHeaders(headers: readonly (readonly [name: string, value: string])[]): number {
  return headers.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0);
}

export function getHeaderValues(
  headers: readonly (readonly [name: string, value: string])[],
  lowerCaseName: string,
): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === lowerCaseName).map(([, value]) => value);
}
