import type { Outcome } from '../types.ts';

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
