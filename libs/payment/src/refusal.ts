import type { PaymentRequirements } from '@x402/core/types';
import type { Authorization } from './read-payment.ts';

/** The time now, and how long an authorization is good from then on: at least, and at most by the payer's clock. */
export interface ValidityBounds {
  readonly now: number;
  readonly minValiditySeconds: number;
  readonly maxTimeoutSeconds: number;
}

/** Payers sign by their own clock, which may be ahead of ours by as much as stock clients take theirs to be. */
const CLOCK_SECONDS = 600;

/**
 * Why an authorization does not pay terms, in the words of x402's exact scheme; null where nothing speaks against it.
 * The facilitator is asked only then: what it says is not believed of an authorization that cannot be good, and one
 * that would run out while it is being earned is not worked for. One that is good for longer than was asked could be
 * settled when nobody remembers what it was for.
 *
 * @param authorization null where the payment is of another kind
 * @param bounds `now` in milliseconds since the epoch
 */
export const refusalOf = (
  authorization: Authorization | null,
  terms: Pick<PaymentRequirements, 'amount' | 'payTo'>,
  { now, minValiditySeconds, maxTimeoutSeconds }: ValidityBounds,
): string | null => {
  if (authorization === null) return 'invalid_payload';
  const { amount, payTo, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now / 1_000));
  if (payTo !== terms.payTo.toLowerCase()) return 'invalid_exact_evm_recipient_mismatch';
  if (amount !== BigInt(terms.amount)) return 'invalid_exact_evm_authorization_value';
  if (validAfter > seconds) return 'invalid_exact_evm_payload_authorization_valid_after';
  const latest = seconds + BigInt(maxTimeoutSeconds + CLOCK_SECONDS);
  if (validBefore < seconds + BigInt(minValiditySeconds) || validBefore > latest) {
    return 'invalid_exact_evm_payload_authorization_valid_before';
  }
  return null;
};
