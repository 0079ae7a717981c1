import type { PaymentRequirements } from '@x402/core/types';
import type { Authorization } from '../request/read-payment.ts';

/** Current time, and limits of the remaining validity of an authorization. */
export interface ValidityBounds {
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  readonly minValiditySeconds: number;
  readonly maxTimeoutSeconds: number;
}

/**
 * Maximum time by which a payer's clock may be ahead, in seconds. The standard x402 clients allow the same difference.
 */
const CLOCK_MARGIN_SECONDS = 600;

/**
 * Returns the reason to refuse an authorization, as a reason code of x402's exact scheme. This check runs before the
 * facilitator is called, because a facilitator could accept an invalid authorization. It also refuses an authorization
 * that expires during the work, and one that is valid for much longer than `maxTimeoutSeconds`. The latter could be
 * settled after its row was deleted.
 *
 * @param authorization null if the payment has no EIP-3009 authorization
 * @returns null when the authorization fulfils the payment terms
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
