import type { ClaimedPayment, PaymentKey } from '@touchstone/store';
import type { PaymentRequirements } from '@x402/core/types';
import type { OperationTarget } from '../gateway/challenges.ts';
import type { ReadInput, Reading } from '../request/read-input.ts';
import type { Authorization, PresentedPayment } from '../request/read-payment.ts';
import type { OngoingRequest, SellerContext } from '../seller-context.ts';
import type { PaidOperation } from '../types.ts';
import type { Lease } from './lease.ts';
import type { KnownState, UNCLAIMED_EVENTS } from './payment-states.ts';
import { respondUnclaimed, type Outcome, type ResponseDetails } from './respond.ts';

export interface PaidRequest<Input> extends OngoingRequest {
  readonly context: SellerContext;
  readonly target: OperationTarget;
  readonly terms: PaymentRequirements;
  readonly payment: PresentedPayment;
  /** Key of the payment. `owner` identifies this request as the owner of the payment's lease. */
  readonly key: PaymentKey & { readonly owner: string };
  readonly lease: Lease;
  readonly paidOperation: PaidOperation<Input>;
  /** Client in the queues. */
  readonly client: string;
  /** Id of the client, such as its IP address. */
  readonly address: string;
  /** Input of the operation, or the problem of an invalid request. */
  readonly reading: Reading<ReadInput<Input>>;
}

/** A valid request that may claim its payment. */
export interface PurchaseStart<Input> extends ReadInput<Input> {
  /**
   * Time of the verification by the facilitator:
   * - `beside-claim`: the payment was probably not sent before, and its payer is proven by the signature.
   * - `before-claim`: the payer is not proven, or the payment may have been sent before.
   * - `done`: the payment equals a stored payment that was verified before, or the chain shows that it is paid.
   */
  readonly verification: 'beside-claim' | 'before-claim' | 'done';
  /** Transaction that paid this payment exactly; absent if the payment must be settled. */
  readonly paidBy?: string | undefined;
}

/** Payment whose lease a request holds. No other request can process the payment during the lease. */
export interface Claim<Input>
  extends Pick<ClaimedPayment, 'openPayments'>, Pick<PurchaseStart<Input>, 'paidBy'> {
  readonly request: PaidRequest<Input>;
  /** Payment terms of the first claim of the payment. These terms stay valid for the settlement. */
  readonly terms: PaymentRequirements;
  /** Time at which the payment was first sent, in milliseconds since the epoch. */
  readonly since: number;
  /**
   * Number of this settlement attempt, starting at 1. Before attempt 2 or later, an earlier attempt may have moved the
   * money.
   */
  readonly attempt: number;
  /** Result that an earlier request stored; null if no request has stored a result. */
  readonly storedResult: string | null;
  /** True if the stored result is no longer for sale. The chain shows if an earlier settlement moved the money. */
  readonly isOutdated: boolean;
}

export function toPaymentKey({ gateway }: SellerContext, { payer, nonce }: Authorization): PaymentKey {
  return { network: gateway.network, asset: gateway.asset, payer, nonce };
}

export function toRoute({ operation: { method, path } }: OperationTarget): string {
  return `${method} ${path}`;
}

/**
 * End of a request whose payment is not charged according to its row. The chain decides what the response says about the
 * payment, and whether the payment still buys the result.
 */
export interface Unpaid {
  /** State of the payment according to its row. */
  readonly state: KnownState;
  /**
   * Result of the verification by the facilitator during this request: `valid`; `nonce-used` if the facilitator refused
   * the payment for its used nonce; null for any other result, and without a verification.
   */
  readonly verification: 'valid' | 'nonce-used' | null;
  /** True if the work was done. The work is not done again by the same request. */
  readonly hasWorked: boolean;
  readonly respond: (outcome: Outcome) => Response;
}

/** End of a request: a response, or an end whose response depends on the chain. */
export type RequestEnd = Response | Unpaid;

/** Rest of a request that waits for the chain, and therefore runs without a slot of the queue. */
export interface AfterSlot {
  readonly afterSlot: () => Promise<Response>;
}

export function isEnd(value: object): value is RequestEnd {
  return value instanceof Response || 'hasWorked' in value;
}

/** Ends a request that does not hold the lease of its payment. `state` is the state in the row of the payment. */
export function endUnclaimed<Event extends keyof typeof UNCLAIMED_EVENTS>(
  event: Event,
  details: ResponseDetails[(typeof UNCLAIMED_EVENTS)[Event]['response']],
  state: KnownState,
): Unpaid {
  return {
    state,
    verification: null,
    hasWorked: false,
    respond: (outcome) => respondUnclaimed(event, details, outcome),
  };
}
