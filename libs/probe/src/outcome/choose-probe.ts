import type { Outcome, Probe } from '../types.ts';

/**
 * From the most to the least telling about what a visitor gets, when no method was challenged. An answer that
 * shows the endpoint alive behind a method comes before a failure of another method; a failure comes before "not
 * this method" and "not found", because those leave open that the failing method was the right one.
 */
const order: readonly Outcome[] = [
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

/** The probe that says more about the endpoint; the earlier one when they say the same. */
export function chooseProbe(earlier: Probe, later: Probe): Probe {
  return order.indexOf(later.outcome) < order.indexOf(earlier.outcome) ? later : earlier;
}
