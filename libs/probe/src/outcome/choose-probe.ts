import type { Outcome, Probe } from '../types.ts';

/**
 * Outcomes in order of preference when several methods were tried. A response that shows the endpoint alive comes before
 * a failure of another method. A failure comes before `method-mismatch` and `not-found`: these do not rule out that the
 * failed method was the right one.
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

/** Returns the more informative of two probes of one endpoint; the earlier one when both have the same outcome. */
export function chooseProbe(earlier: Probe, later: Probe): Probe {
  const isLaterBetter =
    OUTCOMES_BY_PREFERENCE.indexOf(later.outcome) < OUTCOMES_BY_PREFERENCE.indexOf(earlier.outcome);
  return isLaterBetter ? later : earlier;
}
