import { randomUUID } from 'node:crypto';
import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { claimPayment, type ClaimedPayment, type PaymentClaim } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import type { ReadInput } from '../request/read-input.ts';
import type { PresentedPayment } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import { endUnpaid, fulfil } from './fulfil.ts';
import { toPaymentKey, toRoute, type ClaimedRequest, type PaidRequest } from './paid-request.ts';
import { respond, respondUnclaimed } from './respond.ts';
import { settleAndRespond } from './settle.ts';

/**
 * Time after a settlement during which a payment without the secret of its challenge gets its result again, in
 * milliseconds.
 */
const PUBLIC_REPLAY_MS = 600_000;

/** Values for the claim of a payment: the validated request, the payment terms and the state of the verification. */
interface ClaimInput<Input> extends ReadInput<Input> {
  readonly terms: PaymentRequirements;
  /** Time at which the payment was first presented, in milliseconds since the epoch. */
  readonly since: number;
  /** True when the facilitator verified the payment for this request. */
  readonly isVerified: boolean;
}

/**
 * Responds with the stored result of a settled payment. Anyone can read a settled payment from the chain, and only the
 * secret identifies the buyer. So a payment without a secret gets its result for ten minutes only.
 */
export const replayResult = (
  { now }: SellerContext,
  { secretHash }: PresentedPayment,
  stored: Pick<ClaimedPayment, 'result' | 'receipt' | 'settledAt'>,
): Response => {
  const { result, receipt, settledAt } = stored;
  if (result === null) return respond('result-deleted', {});
  const isLate = now() - (settledAt ?? 0) > PUBLIC_REPLAY_MS;
  if (secretHash === null && isLate) return respond('result-withheld', {});
  return respond('result', { result, receipt: receipt ?? '' });
};

const createClaim = <Input>(
  key: ClaimedRequest['key'],
  { target, payment, paidOperation }: PaidRequest<Input>,
  { input, requestHash }: ReadInput<Input>,
): PaymentClaim => {
  const { paymentHash, secretHash, authorization } = payment;
  const { validBefore, payTo, amount } = authorization;
  return {
    ...key,
    route: toRoute(target),
    requestHash,
    resource: cleanText(paidOperation.toResource(input), MAX_RESOURCE_CHARS) ?? '',
    paymentHash,
    secretHash,
    payTo,
    amount,
    // Verification refuses a validity that ends too late, so this time fits into a JavaScript date.
    validBefore: Number(validBefore) * 1_000,
  };
};

/**
 * Claims a payment for a request. Depending on the outcome, does the work, settles the stored result, or only responds.
 */
export const claimAndFulfil = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  claim: ClaimInput<Input>,
): Promise<Response> => {
  const { db, leases, now } = context;
  const { target, payment, paidOperation } = request;
  const { terms, since, isVerified } = claim;
  const key = { ...toPaymentKey(context, payment), owner: randomUUID() };
  const leaseSeconds = isVerified ? leases.workSeconds : leases.settleSeconds;
  const claimed = await claimPayment(db, createClaim(key, request, claim), { now: now(), leaseSeconds });
  const { authorization, payload } = payment;
  const fulfilment = {
    context,
    request: {
      target,
      key,
      authorization,
      // The settlement uses the payment terms of this service, not the terms in the client's payload.
      payload: { ...payload, accepted: terms },
      terms,
      since,
      attempt: Math.max(1, claimed.attempt),
    },
  };
  switch (claimed.outcome) {
    case 'claimed':
      // The payment was released in the meantime, so this request claimed it without verification. When the client
      // sends the payment again, it is verified.
      if (!isVerified) return endUnpaid(fulfilment, 'claimed-unverified', {});
      return fulfil(fulfilment, claimed.openPayments, () =>
        paidOperation.work(claim.input, { payer: authorization.payer }),
      );
    case 'resumed':
      return settleAndRespond(fulfilment, claimed.result ?? '');
    case 'settled':
      return replayResult(context, payment, claimed);
    case 'busy':
      return respondUnclaimed('payment-held', {});
    case 'other':
      return respondUnclaimed('payment-of-other-request', {});
    case 'limited': {
      const seconds = Math.max(1, Math.ceil(((claimed.retryAt ?? 0) - now()) / 1_000));
      return respondUnclaimed('payer-limited', { seconds });
    }
  }
};
