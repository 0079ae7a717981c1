import type { Outcome, Phase } from '../types.ts';
import {
  BAD_RESPONSE_CODE,
  BAD_TARGET_CODE,
  DEADLINE_CODE,
  REFUSED_CODE,
  UNEXPECTED_CODE,
} from './failure.ts';

/** Error codes for missing resources of this machine or its network. The endpoint did not cause them. */
const SELF_INFLICTED_CODES: ReadonlySet<string> = new Set([
  UNEXPECTED_CODE,
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
  const hasAuthChallenge = headers.some(([name]) => name.toLowerCase() === 'www-authenticate');
  if ((status === 401 || status === 403) && hasAuthChallenge) return 'other-gate';
  if (BLOCKED_STATUSES.has(status)) return 'blocked';
  if (status >= 200 && status < 300) return 'free';
  if (status >= 300 && status < 400) return 'redirected';
  if (status >= 400 && status < 500) return 'client-error';
  return status >= 500 && status < 600 ? 'server-error' : 'protocol-error';
}

const UPTIME_BY_OUTCOME: Readonly<Record<Outcome, 'up' | 'down' | 'neither'>> = {
  challenged: 'up',
  free: 'up',
  'other-gate': 'up',
  blocked: 'neither',
  'method-mismatch': 'neither',
  redirected: 'neither',
  'client-error': 'neither',
  'self-failure': 'neither',
  'not-found': 'down',
  'server-error': 'down',
  timeout: 'down',
  'dns-error': 'down',
  'tls-error': 'down',
  'connect-error': 'down',
  'protocol-error': 'down',
  'refused-address': 'down',
};

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
