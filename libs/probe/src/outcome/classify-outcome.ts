import { getHeaderValues } from '@touchstone/common';
import type { Phase, RequestFailure } from '../types.ts';

/**
 * Effect of each outcome on uptime. The outcomes are in order of preference for an endpoint of which several methods were
 * tried. Responses of a reachable endpoint come first, then failures. `method-mismatch` and `not-found` come last: they
 * concern one method only, and the method that failed may be the right one.
 */
const UPTIME_BY_OUTCOME = {
  challenged: 'up',
  free: 'up',
  'other-gate': 'up',
  redirected: 'neither',
  blocked: 'neither',
  'client-error': 'neither',
  'self-failure': 'neither',
  'server-error': 'down',
  timeout: 'down',
  'protocol-error': 'down',
  'tls-error': 'down',
  'connect-error': 'down',
  'dns-error': 'down',
  'refused-address': 'down',
  'method-mismatch': 'neither',
  'not-found': 'down',
} as const;

/** Class of a probe result, which determines the effect of the probe on uptime. */
export type Outcome = keyof typeof UPTIME_BY_OUTCOME;

const OUTCOMES_BY_PREFERENCE = Object.keys(UPTIME_BY_OUTCOME);

/** Returns true if an outcome says more about an endpoint than another outcome. */
export function isMoreInformative(outcome: Outcome, other: Outcome): boolean {
  return OUTCOMES_BY_PREFERENCE.indexOf(outcome) < OUTCOMES_BY_PREFERENCE.indexOf(other);
}

/** Error for a failure that the prober itself detected, such as an exceeded deadline. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure';
  readonly code: string;
  readonly details: FailureDetails;

  constructor(code: string, message: string, details: FailureDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Facts about a failure that its code and message do not contain. */
type FailureDetails = Pick<RequestFailure, 'limitMs' | 'certificate'>;

/** Error code for an error without a code. Such an error counts as our own failure. */
export const UNEXPECTED_CODE = 'ERR_UNEXPECTED';

/** Error code for a request that exceeded one of the prober's deadlines. */
export const DEADLINE_CODE = 'ERR_DEADLINE';

/** Error codes of a connection that ended before the response. */
export const CLOSED_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
]);

/** Error code for a host whose addresses were all refused by the address guard. */
export const REFUSED_CODE = 'ERR_ADDRESS_REFUSED';

/** Error code for a connection that the limit of the sender does not allow now. */
export const CONNECTION_LIMIT_CODE = 'ERR_CONNECTION_LIMIT';

/** Error code for a response that Node's parser accepts, although it violates HTTP or Node's fetch rejects it. */
export const BAD_RESPONSE_CODE = 'ERR_BAD_ANSWER';

/** Error code of llhttp for headers over the limit, and for a redirect whose headers clients reject. */
export const HEADERS_TOO_LARGE_CODE = 'HPE_HEADER_OVERFLOW';

/** Error code of llhttp for a response that does not begin with an HTTP status line. */
export const NO_STATUS_LINE_CODE = 'HPE_INVALID_CONSTANT';

/** Error code for a server that responds with HTTP/2 to a request of HTTP/1.1. */
export const HTTP2_CODE = 'ERR_HTTP2_RESPONSE';

/** Error code for a target that is not an absolute http or https URL with a usable port. */
export const BAD_TARGET_CODE = 'ERR_BAD_TARGET';

/**
 * Maximum length of a failure message, in characters. The length is limited, because a message may contain remote data,
 * such as certificate names.
 */
const MAX_MESSAGE_LENGTH = 500;

/** Converts a thrown value to the field `failure` of a probe. */
export function toFailure(phase: Phase, thrown: unknown): RequestFailure {
  if (!(thrown instanceof Error))
    return { phase, code: UNEXPECTED_CODE, message: 'the thrown value is not an Error' };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : UNEXPECTED_CODE;
  const details = thrown instanceof ProbeFailure ? thrown.details : {};
  return { phase, code, message: thrown.message.slice(0, MAX_MESSAGE_LENGTH), ...details };
}

/** Error codes for missing resources and limits of this machine or its network. The endpoint did not cause them. */
const SELF_INFLICTED_CODES: ReadonlySet<string> = new Set([
  UNEXPECTED_CODE,
  CONNECTION_LIMIT_CODE,
  'EACCES',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EPERM',
]);

/**
 * Error codes that show a problem with our name servers when they occur in the phase `resolve`. Other codes in this
 * phase show a problem with the host name.
 */
const SELF_INFLICTED_RESOLVER_CODES: ReadonlySet<string> = new Set([
  'EBADFLAGS',
  'ECANCELLED',
  'ECONNREFUSED',
  'EDESTRUCTION',
  'EFILE',
  'ENONAME',
  'ENOTINITIALIZED',
]);

const OUTCOME_BY_CODE: ReadonlyMap<string, Outcome> = new Map([
  [DEADLINE_CODE, 'timeout'],
  [REFUSED_CODE, 'refused-address'],
  [BAD_RESPONSE_CODE, 'protocol-error'],
  [BAD_TARGET_CODE, 'protocol-error'],
  [HTTP2_CODE, 'protocol-error'],
  ['ETIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
]);

/**
 * Returns the outcome of a failed request.
 *
 * @param failure phase of the failure, and error code of Node, OpenSSL, llhttp or c-ares
 */
export function classifyFailure(failure: { readonly phase: Phase; readonly code: string }): Outcome {
  const { phase, code } = failure;
  if (SELF_INFLICTED_CODES.has(code)) return 'self-failure';
  const known = OUTCOME_BY_CODE.get(code);
  if (known !== undefined) return known;
  if (phase === 'resolve') return SELF_INFLICTED_RESOLVER_CODES.has(code) ? 'self-failure' : 'dns-error';
  // TLS errors count in every phase: with TLS 1.3, a server can reject the handshake after the client has completed it.
  if (phase === 'tls' || code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls-error';
  if (code.startsWith('HPE_')) return 'protocol-error';
  return code.startsWith('ERR_') ? 'self-failure' : 'connect-error';
}

const OUTCOME_BY_STATUS: ReadonlyMap<number, Outcome> = new Map([
  [402, 'challenged'],
  [404, 'not-found'],
  [405, 'method-mismatch'],
  [410, 'not-found'],
]);

/**
 * Statuses by which a server refuses this client. 401 and 403 with a `WWW-Authenticate` header have the outcome
 * `other-gate` instead.
 */
const BLOCKED_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 429, 451]);

/**
 * Returns the outcome of a probe that received an HTTP response.
 *
 * - 402 is `challenged`. The compliance rules check the challenge separately.
 * - 401 and 403 are `other-gate` with a `WWW-Authenticate` header (RFC 9110, section 11.6.1), else `blocked`.
 * - 407, 429 and 451 are `blocked`: the server refuses this client but is not down. A page that blocks bots with a 5xx
 *   status is still a `server-error`, because bodies are not interpreted.
 * - Every other 4xx is `client-error`: the server rejected the empty request, which shows neither that the endpoint is
 *   up nor that it is down.
 * - A status outside 200 to 599 is a `protocol-error`.
 *
 * @param status status code of the final response
 * @param headers raw header fields of the response
 */
export function classifyStatus(
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
): Outcome {
  const known = OUTCOME_BY_STATUS.get(status);
  if (known !== undefined) return known;
  const hasAuthChallenge = getHeaderValues(headers, 'www-authenticate').length > 0;
  if ((status === 401 || status === 403) && hasAuthChallenge) return 'other-gate';
  if (BLOCKED_STATUSES.has(status)) return 'blocked';
  if (status >= 200 && status < 300) return 'free';
  if (status >= 300 && status < 400) return 'redirected';
  if (status >= 400 && status < 500) return 'client-error';
  return status >= 500 && status < 600 ? 'server-error' : 'protocol-error';
}

/** Reasons why a body is incomplete. A reason that does not apply is null. */
interface BodyFailures {
  /** Failure of the connection or of the framing before the end of the body. */
  readonly transfer: Pick<RequestFailure, 'phase' | 'code'> | null;
  /** Failure of the content codings. */
  readonly decoding: Pick<RequestFailure, 'code'> | null;
}

/**
 * Returns the outcome of a probe that received the headers of a response, and its body completely or in part.
 *
 * Clients read the status before the body, and the version 2 client pays after a broken body. So the outcome is that of
 * the status, with four exceptions:
 *
 * - Our own failure is a `self-failure`.
 * - A list of content codings that Node's fetch rejects is a `protocol-error`.
 * - A status 402 whose body does not end is a `timeout`, because every client waits for the end of the body.
 * - A 2xx status without the end of the body has the outcome of the failure, because clients need the body.
 */
export function classifyResponse(
  status: number,
  headers: Parameters<typeof classifyStatus>[1],
  { transfer, decoding }: BodyFailures,
): Outcome {
  const byStatus = classifyStatus(status, headers);
  if (transfer === null) return decoding?.code === BAD_RESPONSE_CODE ? 'protocol-error' : byStatus;
  const byFailure = classifyFailure(transfer);
  const isNeeded = byStatus === 'free' || (byStatus === 'challenged' && byFailure === 'timeout');
  return isNeeded || byFailure === 'self-failure' ? byFailure : byStatus;
}

/**
 * Returns the effect of an outcome on the uptime of an endpoint.
 *
 * - `up`: the endpoint responded with a challenge, with data or with another payment gate.
 * - `down`: the endpoint could not serve any client. This includes a host name that resolves to a non-public address.
 *   Otherwise an operator could hide an outage by changing the DNS record.
 * - `neither`: the response is specific to our request, or the failure was ours. The probe is excluded from uptime.
 */
export function classifyUptime(outcome: Outcome): 'up' | 'down' | 'neither' {
  return UPTIME_BY_OUTCOME[outcome];
}
