import { findPayment } from '@touchstone/store';
import type { Turn } from '../queue/purchase-queue.ts';
import type { SellerContext } from '../seller-context.ts';
import { toRefusal, type CheckedRequest } from './check-request.ts';
import { claimAndFulfil } from './claim.ts';
import { findKnownPayment, handleKnownPayment } from './known-payment.ts';
import { toPaymentKey, toResponseState, type PaidRequest } from './paid-request.ts';
import { respondUnclaimed } from './respond.ts';
import { verifyPayment } from './verify.ts';

/** Maximum age of a check of a payment that is not repeated, in milliseconds. */
const MAX_CHECK_AGE_MS = 1_000;

/** A checked request in its turn. */
interface Attempt<Input> extends CheckedRequest<Input> {
  readonly turn: Turn;
  /** True if the payment must be verified before it is claimed. */
  readonly isVerifiedFirst: boolean;
}

/**
 * Verifies a payment, then claims it. If its payer is not proven, an earlier claim could harm the payer, because the open
 * payments of a payer are counted.
 */
const verifyAndClaim = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  attempt: Attempt<Input>,
): Promise<Response> => {
  const verdict = await verifyPayment(context, request, attempt.terms);
  if (verdict.kind === 'valid') {
    return claimAndFulfil(context, request, { ...attempt, verdict: Promise.resolve(verdict) });
  }
  // Another request with the same payment may have been processed in the meantime, so the row of the payment is read
  // again.
  const { known, state } = await findKnownPayment(context, request);
  if (known !== null) {
    const handled = await handleKnownPayment(context, request, known);
    return handled instanceof Response ? handled : handled(attempt.turn);
  }
  return verdict.kind === 'refused'
    ? toRefusal(context, request, verdict.reason)(state)
    : respondUnclaimed('facilitator-unavailable', {}, toResponseState(request, state));
};

/**
 * Checks the terms and the validity of a payment again if it waited for its body or its turn, because it may have expired.
 * @returns the refusal, or null
 */
const refuseExpired = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  { checkedAt }: Attempt<Input>,
): Promise<Response | null> => {
  // The clock can have jumped into the past.
  if (Math.abs(context.now() - checkedAt) < MAX_CHECK_AGE_MS) return null;
  const check = await context.gateway.checkTerms(request.target, request.payment.payload);
  if ('terms' in check) return null;
  const stored = await findPayment(context.db, toPaymentKey(context, request.payment));
  return toRefusal(context, request, check.refused)(stored?.state ?? 'absent');
};

/**
 * Buys the result of a checked request. Unless the payment must be verified first, it is claimed while the facilitator
 * verifies it.
 */
export const purchase = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  attempt: Attempt<Input>,
): Promise<Response> => {
  const refused = await refuseExpired(context, request, attempt);
  if (refused !== null) return refused;
  if (attempt.isVerifiedFirst) return verifyAndClaim(context, request, attempt);
  const verdict = verifyPayment(context, request, attempt.terms);
  return claimAndFulfil(context, request, { ...attempt, verdict });
};
