import type { ProposedPayment } from '../payment-terms.ts';
import type { Summary } from '../statement/summary.ts';
import type { LimitCode } from '../ledger/limit-policy.ts';
import type { Action } from './policy.ts';

/** Code of the rule that caused a reason. A statement is a signed response of Touchstone. */
export type ReasonCode =
  /** The payment is malformed, for example because its amount is not an integer. Always aborts. */
  | 'invalid-payment'
  /** The service does not accept the URL, for example because its host is private. */
  | 'not-accepted'
  /** Touchstone sent no readable statement. */
  | 'unreachable'
  /** Touchstone's statement is not signed with a pinned key. Always aborts. */
  | 'invalid-signature'
  /** Touchstone's statement is for another request. Always aborts. */
  | 'wrong-statement'
  /** Touchstone's statement is too old, or it is dated in the future. Always aborts. */
  | 'stale-statement'
  | 'unknown-endpoint'
  /** The provider of the endpoint opted out of probing, so nobody observes the endpoint. */
  | 'opted-out'
  /** The seller claims a URL that Touchstone does not know. Only in `beforePayment`, and in `attachTo` without a request. */
  | 'unverified-url'
  | 'recommendation'
  | 'min-grade'
  | 'min-score'
  | 'min-confidence'
  | 'pay-to-mismatch'
  | 'pay-to-replaced'
  /** The recipient replaced another one in the last 30 days. */
  | 'pay-to-changed'
  | 'asset-mismatch'
  | 'token-not-usdc'
  /** Touchstone has observed no payment option or no price of the endpoint, so there is nothing to compare. */
  | 'unknown-terms'
  | 'max-price'
  /** The price is above `maxUnknownPriceUsd`. */
  | 'max-unknown-price'
  | 'price-multiple'
  /** The price is above the highest price of the last 30 days, but not above the permitted multiple of that price. */
  | 'price-above-range'
  /** The price in US dollars cannot be computed. Aborts if a limit in US dollars applies. */
  | 'price-unknown'
  /** The latest probe is older than `maxAgeHours`, or the endpoint was never probed. */
  | 'stale-probes'
  /** Touchstone does not know the host, and its name imitates the name of a known host. */
  | 'lookalike'
  /** Touchstone does not know the host, and the amount is above `maxFirstPaymentUsd`. */
  | 'first-payment'
  /** The seller could collect the payment for longer than `maxLifetimeSeconds`. */
  | 'lifetime'
  | 'scheme'
  | 'network'
  /** The deposit of a payment channel is above `maxDepositMultiple`. */
  | 'deposit'
  /** The policy requires an offer that the seller signed, and the challenge has none. */
  | 'offer-missing'
  /** The offer that the seller signed does not confirm the payment terms. */
  | 'offer-invalid'
  /** The keys of the offer's signer could not be fetched. Aborts if the policy requires an offer. */
  | 'offer-unverified'
  /** The earlier payment of the same request is sent again, in place of the new payment. */
  | 'payment-resent'
  /** The journal of payments cannot be read or written. Always aborts. */
  | 'journal'
  | LimitCode;

export interface Reason {
  readonly code: ReasonCode;
  readonly action: Action;
  /** One or two sentences for people. */
  readonly message: string;
}

export interface Decision {
  /** Strictest action of all reasons; `pay` if there are no reasons. Only `abort` stops a payment. */
  readonly action: Action;
  readonly reasons: readonly Reason[];
  readonly payment: ProposedPayment;
  /** Verified statement (signed response) of Touchstone; null if no statement was verified. */
  readonly summary: Summary | null;
  /** True if Touchstone knows no endpoint of the public host. */
  readonly isUnknownHost: boolean;
  /** Source of the score, grade and recommendation: the free summary or the paid report. Null without a statement. */
  readonly source: 'summary' | 'report' | null;
}

export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
  readonly decision: Decision;

  constructor(decision: Decision) {
    super(formatRefusal(decision));
    this.decision = decision;
  }
}

/** Returns the messages of the reasons that stop a payment. */
export function formatRefusal({ reasons }: Decision): string {
  const messages = reasons.filter(({ action }) => action === 'abort').map(({ message }) => message);
  return ['The payment was refused.', ...messages].join(' ');
}
