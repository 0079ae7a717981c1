import { ChainUnreadableError, readFunds } from '@touchstone/chain';
import { DAY_MS, MAX_RESOURCE_CHARS } from '@touchstone/common';
import {
  claimPayment,
  refusePayment,
  releasePayment,
  type ClaimedPayment,
  type PaymentClaim,
} from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import { getAddress } from 'viem';
import { queryChain } from '../gateway/query-chain.ts';
import { toVerification } from '../gateway/refusal-reasons.ts';
import { toHex } from '../request/read-payment.ts';
import { endRefused, verifyPayment, type VerificationResult } from './check-payment.ts';
import { findKnownPayment, handleKnownPayment, replayResult } from './known-payment.ts';
import {
  endUnclaimed,
  toRoute,
  type Claim,
  type PaidRequest,
  type PurchaseStart,
  type RequestEnd,
  type Unpaid,
} from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { respond, respondUnclaimed, type ResponseDetails } from './respond.ts';

/**
 * Verifies a payment and claims it for its request.
 * @returns the claim if the work may begin, or if the payment of a stored result must be settled; otherwise the end of
 *   the request
 */
export async function verifyAndClaim<Input>(
  request: PaidRequest<Input>,
  start: PurchaseStart<Input>,
): Promise<Claim<Input> | RequestEnd> {
  if (start.paidBy !== undefined) return claim(request, start, Promise.resolve('valid'));
  if (start.verification === 'done') return claim(request, start, null);
  // The payment may have expired while its request waited in the queue.
  const reason = request.context.gateway.findRefusalReason(request.target, request.payment.payload);
  if (reason !== null) return endRefused(request, { reason }, (await findKnownPayment(request)).state);
  const verifying = verifyPayment(request);
  if (start.verification === 'beside-claim') return claim(request, start, verifying);
  const verified = await verifying;
  if (verified === 'valid') return claim(request, start, verifying);
  // Another request with the same payment may have been processed in the meantime, so the row of the payment is read
  // again.
  const { known, state } = await findKnownPayment(request);
  if (known !== null) {
    const next = await handleKnownPayment(request, known);
    return next instanceof Response ? next : claim(request, next, null);
  }
  if (verified !== 'unavailable') return endRefused(request, verified, state);
  return endUnclaimed('facilitator-unavailable', {}, state);
}

function createClaim<Input>(
  { context, key, target, payment, paidOperation }: PaidRequest<Input>,
  { input, requestHash }: PurchaseStart<Input>,
): PaymentClaim {
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
    // A paid payment may be valid for years, beyond the range of a JavaScript date.
    validBefore: Math.min(Number(validBefore) * 1_000, context.now() + DAY_MS),
  };
}

/**
 * Claims a payment while the facilitator verifies it.
 * @param verifying null if the payment equals a stored payment
 * @returns the claim, or the end of the request
 */
async function claim<Input>(
  request: PaidRequest<Input>,
  start: PurchaseStart<Input>,
  verifying: Promise<VerificationResult> | null,
): Promise<Claim<Input> | RequestEnd> {
  const { db, leases, now } = request.context;
  const leaseSeconds = request.lease.hold(leases.workSeconds);
  const [claimed, verified] = await Promise.all([
    claimPayment(db, createClaim(request, start), { leaseSeconds, paidBy: start.paidBy }),
    verifying,
  ]);
  const { stored, attempt, openPayments, result } = claimed;
  const held = {
    request,
    terms: request.terms,
    since: stored?.createdAt ?? now(),
    attempt: Math.max(1, attempt),
    openPayments,
    storedResult: null,
    isOutdated: claimed.outcome === 'outdated',
    ...(start.paidBy === undefined ? {} : { paidBy: start.paidBy }),
  };
  if (claimed.outcome === 'claimed') {
    // Without a verification, another request failed or released the stored payment before this claim.
    return (await refuseUnpayable(held, verified ?? (await verifyPayment(request)))) ?? held;
  }
  const isResumed = claimed.outcome === 'resumed' || held.isOutdated;
  if (!isResumed || stored === null) return respondToHeld(request, claimed, verified);
  request.lease.hold(leases.settleSeconds);
  const terms = { ...request.terms, amount: stored.amount.toString(), payTo: getAddress(stored.payTo) };
  return { ...held, terms, storedResult: result ?? '' };
}

async function respondToHeld<Input>(
  request: PaidRequest<Input>,
  claimed: ClaimedPayment,
  verified: VerificationResult | null,
): Promise<RequestEnd> {
  switch (claimed.outcome) {
    case 'settled':
      return replayResult(request, claimed);
    case 'limited': {
      const seconds = Math.max(1, Math.ceil(((claimed.retryAt ?? 0) - request.context.now()) / 1_000));
      return endUnclaimed('payer-limited', { seconds }, claimed.state);
    }
    case 'other':
      // A different payment with the same nonce gets the response of the facilitator, because the facilitator refuses a
      // used nonce. The state is unknown, because the nonce may be settled at any time.
      if (claimed.isSamePayment || verified === null || verified === 'valid') {
        return respondUnclaimed('payment-of-other-request', {});
      }
      if (verified === 'unavailable') return respondUnclaimed('facilitator-unavailable', {});
      return endRefused(request, verified, 'unknown');
    default:
      return respondUnclaimed('payment-held', {});
  }
}

/**
 * Releases a claimed payment if its verification failed, or if the balance of its payer is too low.
 * @returns the end of the request; null if the work may begin
 */
async function refuseUnpayable<Input>(
  held: Claim<Input>,
  verified: VerificationResult,
): Promise<Unpaid | null> {
  const { context, target, key } = held.request;
  if (verified === 'unavailable') return endUnpaid(held, 'verification-failed', {});
  if (verified !== 'valid') {
    context.settledPayers.forget(key.payer);
    const challenge = context.gateway.createChallenge(target, verified.reason);
    const end = await endUnpaid(held, 'verification-refused', { challenge });
    return { ...end, verification: toVerification(verified.reason) };
  }
  try {
    if (held.paidBy !== undefined || (await canAfford(held))) return null;
  } catch (error) {
    if (!(error instanceof ChainUnreadableError)) {
      await releaseClaim(held);
      throw error;
    }
    context.onError(error.message, error);
    return endUnpaid(held, 'balance-unreadable', {});
  }
  context.settledPayers.forget(key.payer);
  const challenge = context.gateway.createChallenge(target, 'insufficient_funds');
  return endUnpaid(held, 'balance-too-low', { challenge });
}

/**
 * Returns true if the payer's balance covers this payment and all other open payments of the same payer. The
 * facilitator verified each payment against the same balance. Without this check, the work would be done for all open
 * payments, although the balance may cover only one payment.
 *
 * @throws ChainUnreadableError when the balance cannot be read
 */
async function canAfford<Input>({ request, openPayments: open }: Claim<Input>): Promise<boolean> {
  const { context, payment } = request;
  const { payer, amount } = payment.authorization;
  const addOwn = (others: typeof open) => others.reduce((sum, other) => sum + other.amount, amount);
  if (open.length === 0) return true;
  return queryChain(context.chain, async (providers) => {
    const query = { asset: context.gateway.asset, payer };
    const { balance } = await readFunds(providers, { ...query, nonces: [] });
    if (balance >= addOwn(open)) return true;
    const nonces = open.map(({ nonce }) => toHex(nonce));
    const funds = await readFunds(providers, { ...query, nonces });
    return funds.balance >= addOwn(open.filter(({ nonce }) => !funds.usedNonces.has(toHex(nonce))));
  });
}

const EVENTS = PAYMENT_STATES.working.events;
/** Events that end a request before its payment is settled. */
type UnpaidEvent = Exclude<
  keyof typeof EVENTS,
  'claimed' | 'result-stored' | 'chain-paid' | 'chain-unpaid' | 'pruned'
>;

/** Events that end a request whose payment the facilitator did not verify as valid. */
const UNVERIFIED_EVENTS: ReadonlySet<UnpaidEvent> = new Set(['verification-refused', 'verification-failed']);

const EVENTS_AFTER_WORK: ReadonlySet<UnpaidEvent> = new Set([
  'work-refused',
  'work-failed',
  'result-not-stored',
]);

/**
 * Releases a payment when an event ends its request without a result. Without a release, the state is
 * `working`: the payment is paid, its result may be stored, or another request may have claimed the payment.
 */
export async function endUnpaid<Input, Event extends UnpaidEvent>(
  held: Claim<Input>,
  event: Event,
  details: ResponseDetails[(typeof EVENTS)[Event]['response']],
): Promise<Unpaid> {
  const { next, response } = EVENTS[event];
  return {
    state: (await releaseClaim(held)) ? next : 'working',
    verification: UNVERIFIED_EVENTS.has(event) ? null : 'valid',
    hasWorked: EVENTS_AFTER_WORK.has(event),
    respond: (outcome) => respond<(typeof EVENTS)[Event]['response']>(response, details, outcome),
  };
}

/**
 * Releases the lease of a payment. If the release fails, the lease stays until its expiry.
 * @returns true when it is certain that no settlement began and no other request holds the payment
 */
export function releaseClaim<Input>({ request: { context, key } }: Claim<Input>): Promise<boolean> {
  return releasePayment(context.db, key).catch((error: unknown) => {
    context.onError('a payment could not be released', error);
    return false;
  });
}

/**
 * Marks a payment as failed after a refused settlement.
 * @returns false when the payment could not be marked and is still open
 */
export function markPaymentFailed<Input>({ request: { context, key } }: Claim<Input>): Promise<boolean> {
  context.settledPayers.forget(key.payer);
  return refusePayment(context.db, key).catch((error: unknown) => {
    context.onError('a refused payment could not be marked as failed', error);
    return false;
  });
}
