import { randomUUID } from 'node:crypto';
import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { claimPayment, type PaymentClaim } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import { UNLIMITED_TURN } from '../queue/purchase-queue.ts';
import type { ReadInput } from '../request/read-input.ts';
import type { SellerContext } from '../seller-context.ts';
import { endUnpaid, fulfil } from './fulfil.ts';
import { toPaymentKey, toRoute, type ClaimedRequest, type PaidRequest } from './paid-request.ts';
import { respondUnclaimed } from './respond.ts';
import { replayResult, settleStoredResult } from './stored-result.ts';

/** Values for the claim of a payment: the validated request, the payment terms and the state of the verification. */
interface ClaimInput<Input> extends ReadInput<Input> {
  readonly terms: PaymentRequirements;
  /** Time at which the payment was first presented, in milliseconds since the epoch. */
  readonly since: number;
  /** True when the facilitator verified the payment for this request. */
  readonly isVerified: boolean;
}

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
      return fulfil(fulfilment, claimed.openPayments, {
        work: () => paidOperation.work(claim.input, key, { turn: UNLIMITED_TURN, client: '' }),
        cipher: paidOperation.cipher,
      });
    case 'resumed':
      return settleStoredResult(fulfilment, paidOperation.cipher, claimed.result ?? '');
    case 'settled':
      return replayResult(context, request, claimed);
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
