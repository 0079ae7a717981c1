import type { Outcome } from '../types.ts';

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
