import type { PaymentRequirements } from '@x402/core/types';
import { FacilitatorError } from '../gateway/guard-facilitator.ts';
import type { ReadInput } from '../request/read-input.ts';
import type { SellerContext } from '../seller-context.ts';
import type { PaidRequest } from './paid-request.ts';
import type { KnownState } from './payment-states.ts';
import { respondUnclaimed } from './respond.ts';

/**
 * Result of a verification: the validated request with its payment terms, or a function that builds the rejection from
 * the state of the payment.
 */
export type Verification<Input> =
  | { readonly verified: ReadInput<Input> & { readonly terms: PaymentRequirements } }
  | { readonly reject: (state: KnownState) => Response };

/** Verifies a new payment with the facilitator, then reads the body of its request. */
export const verifyRequest = async <Input>(
  { gateway, onError }: SellerContext,
  { target, payment, readInput }: PaidRequest<Input>,
): Promise<Verification<Input>> => {
  let verdict: Awaited<ReturnType<typeof gateway.verify>>;
  try {
    verdict = await gateway.verify(target, payment.payload);
  } catch (error) {
    if (!(error instanceof FacilitatorError)) throw error;
    onError(error.message, error);
    return { reject: (state) => respondUnclaimed('facilitator-unavailable', {}, state) };
  }
  if ('refused' in verdict) {
    const { refused: challenge } = verdict;
    return { reject: (state) => respondUnclaimed('payment-refused', { challenge }, state) };
  }
  const reading = await readInput();
  if ('problem' in reading) {
    const { problem } = reading;
    return { reject: (state) => respondUnclaimed('request-invalid', { problem }, state) };
  }
  return { verified: { ...reading.read, terms: verdict.terms } };
};
