import { findPayment, type Payment } from '@touchstone/store';
import type { Turn } from '../queue/purchase-queue.ts';
import type { SellerContext } from '../seller-context.ts';
import { claimAndFulfil } from './claim.ts';
import { chooseTreatment, toPaymentKey, toRoute, type PaidRequest } from './paid-request.ts';
import type { PaymentState } from './payment-states.ts';
import { respondUnclaimed } from './respond.ts';
import { replayResult } from './stored-result.ts';

/**
 * Reads the row of a payment. `known` is the row if the payment was presented before with the same secret and needs no
 * verification; otherwise null.
 */
export const findKnownPayment = async <Input>(
  context: SellerContext,
  { payment }: PaidRequest<Input>,
): Promise<{ readonly known: Payment | null; readonly state: PaymentState }> => {
  const stored = await findPayment(context.db, toPaymentKey(context, payment));
  const isKnown = chooseTreatment(stored, payment, context.now()) !== 'verify';
  return { known: isKnown ? stored : null, state: stored?.state ?? 'absent' };
};

/**
 * Handles a payment that was presented before with the same secret. The payment is not verified again, because a
 * facilitator refuses a payment that it has already settled.
 * @returns the response, or a function that settles the payment for its stored result in a turn
 */
export const handleKnownPayment = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  known: Payment,
): Promise<Response | ((turn: Turn) => Promise<Response>)> => {
  const { target, payment } = request;
  const reading = await request.readInput();
  if ('problem' in reading) {
    return respondUnclaimed('request-invalid', { problem: reading.problem }, known.state);
  }
  if (known.route !== toRoute(target) || known.requestHash !== reading.read.requestHash) {
    return respondUnclaimed('payment-of-other-request', {});
  }
  switch (chooseTreatment(known, payment, context.now())) {
    case 'replay':
      return replayResult(context, request, known);
    case 'wait':
      return respondUnclaimed('payment-held', {});
    // `verify` occurs here only if the lease ended while the body was read.
    case 'verify':
    case 'settle': {
      const terms = await context.gateway.getTerms(target);
      return (turn) => claimAndFulfil(context, request, { ...reading.read, terms, verdict: null, turn });
    }
  }
};
