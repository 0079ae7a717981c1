import type { Outcome } from '../types.ts';

const verdicts: Readonly<Record<Outcome, 'up' | 'down' | 'neither'>> = {
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
 * Whether an outcome counts for, against, or not at all in an endpoint's uptime.
 *
 * Up: the endpoint answered as itself, with a challenge, data or another gate. Down: nobody could have been
 * served, which includes a name that leads to an address outside the public network; else an outage could be
 * hidden by pointing the name there. Neither: the answer was about our request or about ourselves.
 */
export function classifyUptime(outcome: Outcome): 'up' | 'down' | 'neither' {
  return verdicts[outcome];
}
