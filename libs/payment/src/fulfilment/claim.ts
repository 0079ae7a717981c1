import { randomUUID } from 'node:crypto';
import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { claimPayment, type ClaimedPayment, type PaymentClaim } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import { getAddress } from 'viem';
import type { Turn } from '../queue/purchase-queue.ts';
import type { ReadInput } from '../request/read-input.ts';
import type { SellerContext } from '../seller-context.ts';
import { toRefusal } from './check-request.ts';
import { endUnpaid, fulfil } from './fulfil.ts';
import {
  toPaymentKey,
  toResponseState,
  toRoute,
  type ClaimedRequest,
  type Fulfilment,
  type PaidRequest,
} from './paid-request.ts';
import { respondUnclaimed } from './respond.ts';
import type { WorkResult } from '../types.ts';
import { replayResult, settleStoredResult } from './stored-result.ts';
import type { Verdict } from './verify.ts';

/** Values for the claim of a payment. */
interface ClaimInput<Input> extends ReadInput<Input> {
  readonly terms: PaymentRequirements;
  /** Verdict of the facilitator; null if the payment equals a stored one, which was verified before. */
  readonly verdict: Promise<Verdict> | null;
  readonly turn: Turn;
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

/** Outcome of a claim, with the values for the fulfilment of a claimed payment. */
interface Claimed extends ClaimedPayment {
  readonly fulfilment: Fulfilment;
}

/** Looks the payment of a request up and claims it. */
const claim = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  { key, ...input }: ClaimInput<Input> & Pick<ClaimedRequest, 'key'>,
): Promise<Claimed> => {
  const { db, leases, now } = context;
  const { target, payment, paidOperation } = request;
  const claimed = await claimPayment(db, createClaim(key, request, input), {
    now: now(),
    leaseSeconds: leases.workSeconds,
    settleSeconds: leases.settleSeconds,
  });
  const { stored, attempt } = claimed;
  // The terms of the first claim stay valid for the settlement of its result.
  const terms =
    claimed.outcome === 'resumed' && stored !== null
      ? { ...input.terms, amount: stored.amount.toString(), payTo: getAddress(stored.payTo) }
      : input.terms;
  const fulfilment = {
    context,
    request: {
      target,
      key,
      authorization: payment.authorization,
      hasCopies: request.hasCopies,
      // The settlement uses the payment terms of this service, not the terms in the client's payload.
      payload: { ...payment.payload, accepted: terms },
      terms,
      since: stored?.createdAt ?? now(),
      attempt: Math.max(1, attempt),
      isRecordedLater: paidOperation.isRecordedLater ?? false,
    },
  };
  return { ...claimed, fulfilment };
};

/** Outcome of the claim of a purchase, and its work. */
interface ClaimedPurchase extends Claimed {
  readonly work: () => Promise<WorkResult>;
  /** Verdict of the facilitator; null if the payment equals a stored one. */
  readonly verdict: Promise<Verdict> | null;
}

/** Waits for the verification of a claimed payment, then completes the work. */
const fulfilVerified = async <Input>(
  request: PaidRequest<Input>,
  { fulfilment, openPayments, verdict, work }: ClaimedPurchase,
): Promise<Response> => {
  const { gateway } = fulfilment.context;
  // The payment was released in the meantime, so this request claimed it without verification. When the client sends
  // the payment again, it is verified.
  if (verdict === null) return endUnpaid(fulfilment, 'claimed-unverified', {});
  const verified = await verdict;
  switch (verified.kind) {
    case 'unavailable':
      return endUnpaid(fulfilment, 'verification-failed', {});
    case 'refused': {
      const challenge = await gateway.createChallenge(request.target, verified.reason);
      return endUnpaid(fulfilment, 'verification-refused', { challenge });
    }
    case 'valid':
      return fulfil(fulfilment, openPayments, { work, cipher: request.paidOperation.cipher });
  }
};

/**
 * Responds to a payment whose nonce was used before, for another request or in another payment. Another payment gets the
 * verdict of the facilitator, which refuses a used nonce. The state is unknown, because the nonce may be settled at any
 * time.
 * @param verdict null for the same payment
 */
const respondOther = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  verdict: Promise<Verdict> | null,
): Promise<Response> => {
  const verified = await verdict;
  if (verified?.kind === 'refused') return toRefusal(context, request, verified.reason)('unknown');
  if (verified?.kind === 'unavailable') return respondUnclaimed('facilitator-unavailable', {}, 'unknown');
  return respondUnclaimed('payment-of-other-request', {});
};

/** Does the work of a claimed payment, settles the stored result, or only responds, depending on the outcome of the claim. */
const respondToClaim = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  claimed: ClaimedPurchase,
): Promise<Response> => {
  const { cipher } = request.paidOperation;
  switch (claimed.outcome) {
    case 'claimed':
      return fulfilVerified(request, claimed);
    case 'resumed':
      return settleStoredResult(claimed.fulfilment, cipher, claimed.result ?? '');
    case 'settled':
      return replayResult(context, request, claimed);
    case 'busy':
      return respondUnclaimed('payment-held', {});
    case 'other':
      return respondOther(context, request, claimed.isSamePayment ? null : claimed.verdict);
    case 'limited': {
      const seconds = Math.max(1, Math.ceil(((claimed.retryAt ?? 0) - context.now()) / 1_000));
      return respondUnclaimed('payer-limited', { seconds }, toResponseState(request, claimed.state));
    }
  }
};

/**
 * Claims a payment for a request. The verification of the payment can run meanwhile. The work begins after the claim, the
 * verification and the check of the balance.
 */
export const claimAndFulfil = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  input: ClaimInput<Input>,
): Promise<Response> => {
  const key = { ...toPaymentKey(context, request.payment), owner: randomUUID() };
  const { verdict, turn } = input;
  const { paidOperation, client } = request;
  const claimed = await claim(context, request, { ...input, key });
  const work = () => turn.release(() => paidOperation.work(input.input, key, { client }));
  return respondToClaim(context, request, { ...claimed, work, verdict });
};
