import type { Payment } from '@touchstone/store';

/** The state of a payment: no row, or the state of its row in the payments table. */
export type PaymentState = 'absent' | Payment['state'];

/**
 * Handling of the same request with the same payment and secret:
 * - `verify`: handle the payment as a new one;
 * - `wait`: another request holds the lease, respond with `in-progress`;
 * - `settle`: settle the stored result again;
 * - `replay`: respond with the stored result and receipt, without facilitator and work.
 */
export type Treatment = 'verify' | 'wait' | 'settle' | 'replay';

/** The responses of a paid operation; `respond.ts` has their texts. */
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

/** A change of state. Processing continues when the response is null. */
interface Transition {
  readonly next: PaymentState;
  readonly response: ResponseKind | null;
}

interface StateRow {
  /** Certain that the payer was not charged, and will not be for a request that was made before. */
  readonly isNotCharged: boolean;
  readonly whileLeased: Treatment;
  readonly afterLease: Treatment;
  readonly events: Readonly<Record<string, Transition>>;
}

/** Responses before the claim of a payment. They leave every state as it is. */
export const UNCLAIMED_EVENTS = {
  'no-payment': 'challenge',
  'payment-malformed': 'malformed',
  'payment-refused': 'refused',
  'facilitator-unavailable': 'unverified',
  'request-invalid': 'problem',
  /** Another request, or another payment with the same nonce. */
  'payment-of-other-request': 'reused',
  'payer-limited': 'rate-limited',
} as const satisfies Readonly<Record<string, ResponseKind>>;

/**
 * The state machine of a payment. `absent` and `failed` rows are handled alike: releasing a payment deletes its row, or
 * marks it as failed when earlier refusals must stay counted.
 */
export const PAYMENT_STATES = {
  /** No request has presented the payment, or it was released. */
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
