import { formatTimestamp } from '@touchstone/common';
import type { Reason } from '../decision/decision.ts';
import { isCounted, isTraceable, type Ledger, type LedgerPayment } from './ledger.ts';
import type { LimitPolicy } from './limit-policy.ts';
import type { PaymentDraft } from './limits.ts';

/** Consequence of the earlier payments of a request for a new payment of the same request. */
type RequestJudgement =
  | { readonly kind: 'send' }
  /** The earlier payment is sent in place of the new one, so that the seller can settle only one payment. */
  | { readonly kind: 'resend'; readonly payment: LedgerPayment }
  | { readonly kind: 'refused'; readonly reason: Reason };

interface RequestFacts {
  readonly policy: Pick<LimitPolicy, 'repeatAfterSeconds' | 'payAgainAfterSeconds'>;
  readonly now: number;
  /** False if the guard cannot replace the new payment. */
  readonly canResend: boolean;
}

/**
 * Judges a payment by the earlier payments of the same request. Pure: the same state leads to the same judgement.
 *
 * @param draft payment; its request is null if the request cannot be recognized
 */
export function judgeRequest(
  ledger: Ledger,
  draft: Pick<PaymentDraft, 'request' | 'signedAmount'>,
  facts: RequestFacts,
): RequestJudgement {
  const earlier = ledger.listByRequest(draft.request);
  const repeated = refuseRepetition(earlier, facts);
  const isAnswered = (payment: LedgerPayment) => findAnswer(payment, facts) !== null;
  if (repeated !== null) return { kind: 'refused', reason: repeated };
  if (isVoucher(draft)) return { kind: 'send' };
  const open = earlier.findLast(
    (payment) => !isAnswered(payment) && isCounted(payment) && !isVoucher(payment.entry),
  );
  return open === undefined ? { kind: 'send' } : judgeOpenPayment(open, facts);
}

/**
 * Returns true for the voucher of a payment channel, which takes part of an earlier deposit. A voucher names the sum of
 * all vouchers of the channel. The client signs the same sum again until the seller confirms a charge, so a new voucher
 * charges nothing twice; and after a later voucher, the seller refuses an earlier one.
 */
function isVoucher({ signedAmount }: Pick<PaymentDraft, 'signedAmount'>): boolean {
  return signedAmount === '0';
}

function refuseRepetition(earlier: readonly LedgerPayment[], facts: RequestFacts): Reason | null {
  const { repeatAfterSeconds } = facts.policy;
  for (const payment of earlier) {
    const { deliveredAt, transaction, at } = payment;
    const answeredAt = findAnswer(payment, facts);
    if (answeredAt === null || answeredAt + repeatAfterSeconds * 1_000 <= facts.now) continue;
    const end = formatTimestamp(answeredAt + repeatAfterSeconds * 1_000);
    const result = deliveredAt === null ? 'the seller reported the settlement' : 'its response was delivered';
    const message = `The same request was paid at ${formatTimestamp(at)}${formatTransaction(transaction)}, and ${result}. Use that response, or pay again after ${end} (policy.repeatAfterSeconds is ${repeatAfterSeconds}).`;
    return { code: 'repeated-request', action: 'abort', message };
  }
  return null;
}

/**
 * Returns the time of the delivery. Where the guard cannot replace a payment, an unclear response counts, too: a further
 * payment is then the only way to repeat a request.
 */
function findAnswer(
  { deliveredAt, respondedAt, isUnclear }: LedgerPayment,
  { canResend }: RequestFacts,
): number | null {
  return isUnclear && !canResend ? respondedAt : deliveredAt;
}

/** Judges by an earlier payment that brought no delivery. */
function judgeOpenPayment(payment: LedgerPayment, facts: RequestFacts): RequestJudgement {
  const { policy, now, canResend } = facts;
  const { state, at, transaction, validBefore, resendsAfterSettlement } = payment;
  const end = at + policy.payAgainAfterSeconds * 1_000;
  const isOver = now >= end;
  const paid = `The same request was paid at ${formatTimestamp(at)}${formatTransaction(transaction)}, and nothing was delivered.`;
  const again = `A new payment is possible after ${formatTimestamp(end)} (policy.payAgainAfterSeconds is ${policy.payAgainAfterSeconds}).`;
  if (state === 'settled') {
    if (isOver) return { kind: 'send' };
    // A seller that recognizes the payment can still deliver. The chain refuses a second settlement.
    if (canResend && resendsAfterSettlement === 0) return { kind: 'resend', payment };
    const message = `${paid} The payment was settled on the chain. Ask the seller for the delivery or a refund. ${again}`;
    return { kind: 'refused', reason: { code: 'already-paid', action: 'abort', message } };
  }
  const isUsable = validBefore === null ? !isOver : now < validBefore;
  if (isUsable) {
    if (canResend) return { kind: 'resend', payment };
    const message = `${paid} That payment can still be settled until ${formatTimestamp(validBefore ?? end)}. Wait until then.`;
    return { kind: 'refused', reason: { code: 'payment-open', action: 'abort', message } };
  }
  if (isOver) return { kind: 'send' };
  const advice = isTraceable(payment)
    ? 'Try again in a minute, so that the guard asks the chain again.'
    : 'The chain cannot be asked, because the payment has no nonce.';
  const message = `${paid} The payment can no longer be settled, and whether it was settled is not known. ${advice} ${again}`;
  return { kind: 'refused', reason: { code: 'payment-unclear', action: 'abort', message } };
}

function formatTransaction(transaction: string | null): string {
  return transaction === null ? '' : ` (transaction ${transaction})`;
}
