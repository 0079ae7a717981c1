import type { Payment } from '@touchstone/store';

/** State of a payment in the payments table; `absent` if the table has no row for the payment. */
export type PaymentState = 'absent' | Payment['state'];

/**
 * State of a payment as far as a request knows it; `unknown` if the request did not read the state, or could not
 * release the payment.
 */
export type KnownState = PaymentState | 'unknown';

/**
 * Treatment of a payment that a client sends again with the same request and secret:
 * - `verify`: the payment is handled like a new payment.
 * - `wait`: another request holds the lease, so the response is `in-progress`.
 * - `settle`: the payment is settled again for its stored result.
 * - `replay`: the response has the stored result and receipt. Neither the facilitator nor the work is called.
 */
export type RepeatTreatment = 'verify' | 'wait' | 'settle' | 'replay';

/** Kinds of responses of a paid operation; `respond.ts` has their texts. */
export type ResponseKind =
  | 'challenge'
  | 'malformed'
  | 'refused'
  | 'problem'
  | 'in-progress'
  | 'reused'
  | 'rate-limited'
  | 'overloaded'
  | 'unverified'
  | 'balance-unreadable'
  | 'unsettled'
  | 'internal'
  | 'result'
  | 'result-deleted'
  | 'result-withheld';

/** Change of a payment to the state `next` by an event. `response` is null if the event does not end a request. */
interface Transition {
  readonly next: PaymentState;
  readonly response: ResponseKind | null;
}

interface StateRow {
  /**
   * True if no running request can settle the payment. Responses then say that nothing was charged, if the chain confirms
   * it.
   */
  readonly isNotCharged: boolean;
  readonly whileLeased: RepeatTreatment;
  readonly afterLease: RepeatTreatment;
  readonly events: Readonly<Record<string, Transition>>;
}

/**
 * Response to an event. `state` is the state of the payment that the event shows; `stored` if only the stored row shows
 * the state.
 */
interface UnclaimedEvent {
  readonly response: ResponseKind;
  readonly state: KnownState | 'stored';
}

/**
 * Events of a request that does not hold the lease of its payment. None of these events changes the state of a payment.
 */
export const UNCLAIMED_EVENTS = {
  'no-payment': { response: 'challenge', state: 'absent' },
  'payment-malformed': { response: 'malformed', state: 'stored' },
  'payment-unsupported': { response: 'refused', state: 'stored' },
  'payment-refused': { response: 'refused', state: 'stored' },
  'facilitator-unavailable': { response: 'unverified', state: 'stored' },
  'request-invalid': { response: 'problem', state: 'stored' },
  'request-failed': { response: 'internal', state: 'stored' },
  /** The nonce was already used with a different request, or in a different payment. */
  'payment-of-other-request': { response: 'reused', state: 'unknown' },
  'payment-held': { response: 'in-progress', state: 'unknown' },
  /** Another request claimed the payment after the lease ended, and may settle the payment at any time. */
  'lease-lost': { response: 'in-progress', state: 'unknown' },
  /** The queue of purchases is full. The state of the payment was not read. */
  'queue-full': { response: 'overloaded', state: 'unknown' },
  /**
   * The payer had too many refused settlements. The limit applies only to payments without a row or with a failed row.
   */
  'payer-limited': { response: 'rate-limited', state: 'stored' },
} as const satisfies Readonly<Record<string, UnclaimedEvent>>;

/**
 * State machine of a payment. Database functions make the transitions, and `payment-transitions.test.ts` compares the
 * transitions with this table. A release deletes the row, so `next` is `absent`. If earlier refusals must stay counted,
 * a release marks the row as `failed` instead. The states `absent` and `failed` are handled alike.
 */
export const PAYMENT_STATES = {
  /** No request had the payment yet, or a release or the maintenance job deleted its row. */
  absent: {
    isNotCharged: true,
    whileLeased: 'verify',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
    },
  },
  /** A request has claimed the payment. The request verifies the payment and then does the work. */
  working: {
    isNotCharged: false,
    whileLeased: 'wait',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
      /** The facilitator refused the payment after its claim. */
      'verification-refused': { next: 'absent', response: 'refused' },
      'verification-failed': { next: 'absent', response: 'unverified' },
      'balance-too-low': { next: 'absent', response: 'refused' },
      'balance-unreadable': { next: 'absent', response: 'balance-unreadable' },
      'work-refused': { next: 'absent', response: 'problem' },
      'work-failed': { next: 'absent', response: 'internal' },
      'result-stored': { next: 'settling', response: null },
      'result-not-stored': { next: 'absent', response: 'internal' },
      /** The chain shows a transfer, and no request has delivered the result. The payment stays until the delivery. */
      'chain-paid': { next: 'working', response: null },
      'chain-unpaid': { next: 'working', response: null },
      pruned: { next: 'absent', response: null },
    },
  },
  /** The result is stored, and it is not known whether money moved. */
  settling: {
    isNotCharged: false,
    whileLeased: 'wait',
    afterLease: 'settle',
    events: {
      resumed: { next: 'settling', response: null },
      settled: { next: 'settled', response: 'result' },
      'settlement-refused': { next: 'failed', response: 'refused' },
      'settlement-unknown': { next: 'settling', response: 'unsettled' },
      /** The stored result cannot be decrypted, so the payment is not settled again by this request. */
      'result-unreadable': { next: 'settling', response: 'internal' },
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
      'result-unreadable': { next: 'settled', response: 'internal' },
      'chain-paid': { next: 'settled', response: null },
      'chain-unpaid': { next: 'disputed', response: null },
    },
  },
  /**
   * The settlement was refused, or the authorization has expired or was canceled. The chain may show later that a
   * refused payment was settled. So its result is kept until the chain shows that no money moved. A repeated request and
   * reconciliation record the payment as settled, and the operator sees it in the count `settled` of the
   * reconciliation run.
   */
  failed: {
    isNotCharged: true,
    whileLeased: 'verify',
    afterLease: 'verify',
    events: {
      claimed: { next: 'working', response: null },
      /** The chain shows a transfer, and the result of the refused settlement is stored. */
      resumed: { next: 'settling', response: null },
      'chain-paid': { next: 'settled', response: null },
      'chain-unpaid': { next: 'failed', response: null },
      pruned: { next: 'absent', response: null },
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
