import type { Outcome } from '../types.ts';

const fixed: ReadonlyMap<number, Outcome> = new Map([
  [402, 'challenged'],
  [404, 'not-found'],
  [405, 'method-mismatch'],
  [410, 'not-found'],
]);

/** Statuses by which a server turns a visitor away; a gate that says how to get in is told apart below. */
const refusals: ReadonlySet<number> = new Set([401, 403, 407, 429, 451]);

/**
 * What an HTTP answer says about an endpoint.
 *
 * - 402 is `challenged`, whatever the envelope is worth: that is judged elsewhere.
 * - 401 and 403 are `other-gate` when they carry a `WWW-Authenticate` challenge (RFC 9110, section 11.6.1).
 * - 401 and 403 without one, 407, 429 and 451 are `blocked`: they say that this visitor is turned away, not that
 *   the endpoint is down. A bot page sent with a 5xx status stays a `server-error`: bodies are not guessed at.
 * - Every other 4xx is `client-error`: a bare request was not understood, which is neither up nor down.
 * - A status outside 200 to 599 is a `protocol-error`.
 *
 * @param status - The status code of the final answer.
 * @param headers - Its raw header fields.
 */
export function classifyStatus(
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
): Outcome {
  const known = fixed.get(status);
  if (known !== undefined) return known;
  const gated = headers.some(([name]) => name.toLowerCase() === 'www-authenticate');
  if ((status === 401 || status === 403) && gated) return 'other-gate';
  if (refusals.has(status)) return 'blocked';
  if (status >= 200 && status < 300) return 'free';
  if (status >= 300 && status < 400) return 'redirected';
  if (status >= 400 && status < 500) return 'client-error';
  return status >= 500 && status < 600 ? 'server-error' : 'protocol-error';
}
