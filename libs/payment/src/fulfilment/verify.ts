import type { PaymentRequirements } from '@x402/core/types';
import type { SellerContext } from '../seller-context.ts';
import type { PaidRequest } from './paid-request.ts';

/** Verdict of the facilitator on a payment; `unavailable` if it sent no usable response. */
export type Verdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable' };

/**
 * Verifies a payment with the facilitator. Never rejects. A facilitator that cannot read the chain may report an invalid
 * signature, so a refusal counts only if the chain can be read.
 */
export const verifyPayment = async <Input>(
  { gateway, isChainReadable, onError }: SellerContext,
  { payment }: PaidRequest<Input>,
  terms: PaymentRequirements,
): Promise<Verdict> => {
  try {
    const reason = await gateway.verify(payment.payload, terms);
    if (reason === null) return { kind: 'valid' };
    return (await isChainReadable()) ? { kind: 'refused', reason } : { kind: 'unavailable' };
  } catch (error) {
    onError(error instanceof Error ? error.message : 'a payment could not be verified', error);
    return { kind: 'unavailable' };
  }
};
