import type { PaymentRequirements } from '@x402/core/types';
import type { Authorization } from '../request/read-payment.ts';

/** Limits of the remaining validity of an authorization. */
export interface ValidityBounds {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly minValiditySeconds: number;
  readonly maxTimeoutSeconds: number;
}

/** Maximum lead of a payer's clock, in seconds. Stock clients allow for the same difference. */
const CLOCK_MARGIN_SECONDS = 600;

/**
 * Finds the reason to refuse an authorization before the facilitator is called. The reasons are those of x402's exact
 * scheme. A facilitator is not trusted with an authorization that cannot be valid. One that expires during the work is
 * refused, and so is one with a much longer validity than `maxTimeoutSeconds`: it could be settled after its row was
 * deleted.
 *
 * @param authorization null for a payment of another kind
 * @returns null when the authorization pays the terms
 */
export const findRefusalReason = (
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
  const latest = seconds + BigInt(maxTimeoutSeconds + CLOCK_MARGIN_SECONDS);
  if (validBefore < seconds + BigInt(minValiditySeconds) || validBefore > latest) {
    return 'invalid_exact_evm_payload_authorization_valid_before';
  }
  return null;
};
