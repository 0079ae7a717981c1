import type { Payment } from '@touchstone/store';

/** State of a payment in the payments table; `absent` if the table has no row for the payment. */
export type PaymentState = 'absent' | Payment['state'];

/**
 * Treatment of a payment that is sent again with the same request and secret:
 * - `verify`: the payment is handled like a new payment.
 * - `wait`: another request holds the lease, so the response is `in-progress`.
 * - `settle`: the payment is settled again for its stored result.
 * - `replay`: the response has the stored result and receipt. Neither the facilitator nor the work is called.
 */
export type Treatment = 'verify' | 'wait' | 'settle' | 'replay';

/** Kinds of responses of a paid operation; `respond.ts` has their texts. */
export type ResponseKind =
  | 'challenge'
  | 'malformed'
  | 'refused'
  | 'problem'
  | 'in-progress'
  | 'reused'
  | 'rate-limited'
  | 'unverified'
  | 'balance-unreadable'
  | 'unsettled'
  | 'internal'
  | 'result'
  | 'result-deleted'
  | 'result-withheld';

/** Change of a payment to the state `next`. If `response` is null, the request is processed further. */
interface Transition {
  readonly next: PaymentState;
  readonly response: ResponseKind | null;
}

interface StateRow {
  /** True if it is certain that the payer was not charged, and that no earlier request can charge the payer later. */
  readonly isNotCharged: boolean;
  readonly whileLeased: Treatment;
  readonly afterLease: Treatment;
  readonly events: Readonly<Record<string, Transition>>;
}

/** Events before a payment is claimed, with their responses. None of these events changes the state of a payment. */
export const UNCLAIMED_EVENTS = {
  'no-payment': 'challenge',
  'payment-malformed': 'malformed',
  'payment-refused': 'refused',
  'facilitator-unavailable': 'unverified',
  'request-invalid': 'problem',
  /** The nonce was already used with a different request, or in a different payment. */
  'payment-of-other-request': 'reused',
  'payer-limited': 'rate-limited',
} as const satisfies Readonly<Record<string, ResponseKind>>;

/**
 * State machine of a payment. `absent` and `failed` are handled alike, because the release of a payment has two forms:
 * it deletes the row, or marks the row as failed if earlier refusals must stay counted.
 */
export const PAYMENT_STATES = {
  /** No request has presented the payment, or the payment was released. */
  absent: {
    isNotCharged: true,
    whileLeased: 'verify',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
    },
  },
  /** A request verified the payment and does the work. */
  working: {
    isNotCharged: false,
    whileLeased: 'wait',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
      'claimed-unverified': { next: 'absent', response: 'in-progress' },
      'balance-too-low': { next: 'absent', response: 'refused' },
      'balance-unreadable': { next: 'absent', response: 'balance-unreadable' },
      'work-refused': { next: 'absent', response: 'problem' },
      'work-failed': { next: 'absent', response: 'internal' },
      'result-stored': { next: 'settling', response: null },
      'result-not-stored': { next: 'absent', response: 'internal' },
      /** Another request claimed the payment after the lease ended. */
      'lease-lost': { next: 'working', response: 'in-progress' },
    },
  },
  /** The result is stored, and it is not known whether money moved. */
  settling: {
    isNotCharged: false,
    whileLeased: 'wait',
    afterLease: 'settle',
    events: {
      settled: { next: 'settled', response: 'result' },
      'settlement-refused': { next: 'failed', response: 'refused' },
      'settlement-unknown': { next: 'settling', response: 'unsettled' },
      'chain-paid': { next: 'settled', response: null },
      'chain-unpaid': { next: 'failed', response: null },
    },
  },
  /** The facilitator or the chain confirmed the transfer. */
  settled: {
    isNotCharged: false,
    whileLeased: 'replay',
    afterLease: 'replay',
    events: {
      'chain-paid': { next: 'settled', response: null },
      'chain-unpaid': { next: 'disputed', response: null },
    },
  },
  /** The payment was not settled and cannot be settled any more, unless its payer presents it again. */
  failed: {
    isNotCharged: true,
    whileLeased: 'verify',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
      'chain-paid': { next: 'settled', response: null },
      'chain-unpaid': { next: 'failed', response: null },
    },
  },
  /** The facilitator confirmed a transfer that the chain does not have. The result was delivered. */
  disputed: {
    isNotCharged: false,
    whileLeased: 'replay',
    afterLease: 'replay',
    events: {},
  },
} as const satisfies Readonly<Record<PaymentState, StateRow>>;
