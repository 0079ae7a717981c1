import { randomUUID } from 'node:crypto';
import { claimPayment, type ClaimedPayment, type PaymentClaim } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import type { ReadInput } from '../request/read-input.ts';
import type { PresentedPayment } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import { endUnpaid, fulfil } from './fulfil.ts';
import { toPaymentKey, toRoute, type ClaimedRequest, type PaidRequest } from './paid-request.ts';
import { UNCLAIMED_EVENTS } from './payment-states.ts';
import { respond } from './respond.ts';
import { settleAndRespond } from './settle.ts';

/** Maximum length of the subject of a payment in the payments table, in UTF-16 units. */
const MAX_RESOURCE_LENGTH = 2_048;

/** Time during which a payment without the secret of its challenge gets its result again, in milliseconds. */
const PUBLIC_REPLAY_MS = 600_000;

/** The values of a claim. */
interface ClaimInput<Input> extends ReadInput<Input> {
  readonly terms: PaymentRequirements;
  /** First presentation of the payment, milliseconds since the epoch. */
  readonly since: number;
  /** True when the facilitator verified the payment for this request. */
  readonly isVerified: boolean;
}

/**
 * Responds with the stored result of a settled payment. A payment without a secret can be read from the chain by anyone,
 * so it gets its result for ten minutes only.
 */
export const replayResult = (
  { now }: SellerContext,
  { secretHash }: PresentedPayment,
  stored: Pick<ClaimedPayment, 'result' | 'receipt' | 'settledAt'>,
): Response => {
  const { result, receipt, settledAt } = stored;
  if (result === null) return respond('result-deleted', {}, 'settled');
  const isLate = now() - (settledAt ?? 0) > PUBLIC_REPLAY_MS;
  if (secretHash === null && isLate) return respond('result-withheld', {}, 'settled');
  return respond('result', { result, receipt: receipt ?? '' }, 'settled');
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
    resource: cleanText(paidOperation.toResource(input), MAX_RESOURCE_LENGTH) ?? '',
    paymentHash,
    secretHash,
    payTo,
    amount,
    // Verification limits the validity, so that it fits a date.
    validBefore: Number(validBefore) * 1_000,
  };
};

/** Claims a payment for a request, then does what the state of its row requires. */
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
      // The settlement uses our own terms, not those that the payment names.
      payload: { ...payload, accepted: terms },
      terms,
      since,
      attempt: Math.max(1, claimed.attempt),
    },
  };
  switch (claimed.outcome) {
    case 'claimed':
      // An unverified payment was released at this moment. It is verified when it is sent again.
      if (!isVerified) return endUnpaid(fulfilment, 'claimed-unverified', {});
      return fulfil(fulfilment, claimed.openPayments, () =>
        paidOperation.work(claim.input, { payer: authorization.payer }),
      );
    case 'resumed':
      return settleAndRespond(fulfilment, claimed.result ?? '');
    case 'settled':
      return replayResult(context, payment, claimed);
    case 'busy':
      return respond('in-progress', {}, 'unknown');
    case 'other':
      return respond(UNCLAIMED_EVENTS['payment-of-other-request'], {}, 'unknown');
    case 'limited': {
      // Only a payment without a row or with a failed one is limited.
      const seconds = Math.max(1, Math.ceil(((claimed.retryAt ?? 0) - now()) / 1_000));
      return respond(UNCLAIMED_EVENTS['payer-limited'], { seconds }, 'failed');
    }
  }
};
