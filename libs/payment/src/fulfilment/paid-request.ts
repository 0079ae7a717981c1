import type { Payment, PaymentKey } from '@touchstone/store';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { OperationTarget } from '../gateway/gateway.ts';
import type { OngoingRequest } from '../request/ongoing-requests.ts';
import type { readInput } from '../request/read-input.ts';
import type { Authorization, PresentedPayment } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import type { PaidOperation } from '../types.ts';
import { PAYMENT_STATES, type KnownState, type Treatment } from './payment-states.ts';

/** A request that carries a payment. */
export interface PaidRequest<Input> extends OngoingRequest {
  readonly target: OperationTarget;
  readonly payment: PresentedPayment;
  readonly paidOperation: PaidOperation<Input>;
  /** Id of the client, such as its IP address. */
  readonly client: string;
  /** Reads the body of the request once; later calls return the first result. */
  readonly readInput: () => ReturnType<typeof readInput<Input>>;
}

/** A request that has claimed its payment. */
export interface ClaimedRequest extends OngoingRequest {
  readonly target: OperationTarget;
  /** Key of the payment; `owner` identifies this request as the holder of the lease. */
  readonly key: PaymentKey & { readonly owner: string };
  readonly authorization: Authorization;
  readonly payload: PaymentPayload;
  readonly terms: PaymentRequirements;
  /** Time at which the payment was first presented, in milliseconds since the epoch. */
  readonly since: number;
  /**
   * Number of this settlement attempt, starting at 1. Before attempt 2 or later, an earlier attempt may have moved the
   * money.
   */
  readonly attempt: number;
  /** True if the settlement may be recorded after the response. */
  readonly isRecordedLater: boolean;
}

/** A claimed request and the seller context in which it is processed. */
export interface Fulfilment {
  readonly context: SellerContext;
  readonly request: ClaimedRequest;
}

/** Returns the key of a payment in the payments table. */
export const toPaymentKey = (
  { gateway }: SellerContext,
  { authorization: { payer, nonce } }: Pick<PresentedPayment, 'authorization'>,
): PaymentKey => ({ network: gateway.network, asset: gateway.asset, payer, nonce });

/**
 * Returns the state of a payment for a response. It is unknown if another request with the same payment was under way,
 * because that request may claim and settle the payment after this response.
 */
export const toResponseState = ({ hasCopies }: OngoingRequest, state: KnownState): KnownState =>
  hasCopies() ? 'unknown' : state;

/** Returns the method and path of an operation in the format of the payments table. */
export const toRoute = ({ operation: { method, path } }: OperationTarget): string => `${method} ${path}`;

/**
 * Chooses the treatment of a payment that may have been presented before. A stored payment counts only if it has the
 * same payment hash and secret hash.
 * @param known stored payment with the same key; null without one
 * @param now milliseconds since the epoch
 */
export const chooseTreatment = (
  known: Payment | null,
  { paymentHash, secretHash }: PresentedPayment,
  now: number,
): Treatment => {
  if (known?.paymentHash !== paymentHash || known.secretHash !== secretHash) return 'verify';
  const state = PAYMENT_STATES[known.state];
  return known.leaseUntil > now ? state.whileLeased : state.afterLease;
};
