import type { Outcome, Probe } from '../types.ts';

/**
 * Outcomes in order of preference when several methods of an endpoint were tried. Responses of a reachable
 * endpoint come first, then failures. `method-mismatch` and `not-found` come last: they concern one method only, and
 * the method that failed may be the right one.
 */
const OUTCOMES_BY_PREFERENCE: readonly Outcome[] = [
  'challenged',
  'free',
  'other-gate',
  'redirected',
  'blocked',
  'client-error',
  'self-failure',
  'server-error',
  'timeout',
  'protocol-error',
  'tls-error',
  'connect-error',
  'dns-error',
  'refused-address',
  'method-mismatch',
  'not-found',
];

/**
 * Returns the more informative of two probes of one endpoint. When both have the same outcome, returns the earlier one.
 */
export function chooseProbe(earlier: Probe, later: Probe): Probe {
  const isLaterBetter =
    OUTCOMES_BY_PREFERENCE.indexOf(later.outcome) < OUTCOMES_BY_PREFERENCE.indexOf(earlier.outcome);
  return isLaterBetter ? later : earlier;
}
