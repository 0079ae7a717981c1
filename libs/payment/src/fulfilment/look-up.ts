import type { Turn } from '../queue/purchase-queue.ts';
import type { SellerContext } from '../seller-context.ts';
import { findSignatureRefusal, type CheckedRequest, type RequestCheck } from './check-request.ts';
import { findKnownPayment, handleKnownPayment } from './known-payment.ts';
import type { PaidRequest } from './paid-request.ts';
import { purchase } from './purchase.ts';

/** Maximum age of the signature of a payment that is not looked up before its claim, in seconds. */
const MAX_NEW_SECONDS = 30;

/**
 * Remembers a payment. Returns its checked request if the payment was probably not sent before: this process does not
 * know it, and its payer signed it within the last 30 seconds. The claim gives the right response in any case. A wrong guess costs one
 * useless verification.
 *
 * @returns null if the payment must be looked up first
 */
export const rememberPresentation = <Input>(
  { recentPayments, now }: SellerContext,
  { payment }: PaidRequest<Input>,
  check: RequestCheck<Input>,
): CheckedRequest<Input> | null => {
  if (!recentPayments.add(payment.paymentHash) || !('checked' in check)) return null;
  const { terms, signer } = check.checked;
  const signedAt = Number(payment.authorization.validBefore) - terms.maxTimeoutSeconds;
  const isNew = signer === 'payer' && signedAt >= now() / 1_000 - MAX_NEW_SECONDS;
  return isNew ? check.checked : null;
};

/**
 * Reads the row of a payment, and decides what to do with its request.
 * @returns the response, or the purchase that needs a turn
 */
export const lookUpPayment = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  check: RequestCheck<Input>,
): Promise<Response | ((turn: Turn) => Promise<Response>)> => {
  const { known, state } = await findKnownPayment(context, request);
  if (known !== null) return handleKnownPayment(context, request, known);
  if ('refuse' in check) return check.refuse(state);
  const { checked } = check;
  const refuse = await findSignatureRefusal(context, request, checked.signer);
  if (refuse !== null) return refuse(state);
  // If the process died between a claim and its verification, a failed payment would lose its last check on the chain.
  const isVerifiedFirst = checked.signer !== 'payer' || state === 'failed';
  return (turn) => purchase(context, request, { ...checked, turn, isVerifiedFirst });
};
