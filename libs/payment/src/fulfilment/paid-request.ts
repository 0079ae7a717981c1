import type { Payment, PaymentKey } from '@touchstone/store';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { OperationTarget } from '../gateway/gateway.ts';
import type { readInput } from '../request/read-input.ts';
import type { Authorization, PresentedPayment } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import type { PaidOperation } from '../types.ts';
import { PAYMENT_STATES, type Treatment } from './payment-states.ts';

/** A request that carries a payment. */
export interface PaidRequest<Input> {
  readonly target: OperationTarget;
  readonly payment: PresentedPayment;
  readonly paidOperation: PaidOperation<Input>;
  /** Reads the body; later calls return the first result. */
  readonly readInput: () => ReturnType<typeof readInput<Input>>;
}

/** A payment that this request has claimed. */
export interface ClaimedRequest {
  readonly target: OperationTarget;
  /** `owner` identifies this request in the lease. */
  readonly key: PaymentKey & { readonly owner: string };
  readonly authorization: Authorization;
  readonly payload: PaymentPayload;
  readonly terms: PaymentRequirements;
  /** First presentation of the payment, milliseconds since the epoch. */
  readonly since: number;
  /** Number of this settlement of the result; from 2 on, an earlier one may have moved the money. */
  readonly attempt: number;
}

/** A claimed payment and the connections that process it. */
export interface Fulfilment {
  readonly context: SellerContext;
  readonly request: ClaimedRequest;
}

/** Returns the key of the row of a payment. */
export const toPaymentKey = (
  { gateway }: SellerContext,
  { authorization: { payer, nonce } }: PresentedPayment,
): PaymentKey => ({ network: gateway.network, asset: gateway.asset, payer, nonce });

/** Returns the route of an operation, as the payments table has it. */
export const toRoute = ({ operation: { method, path } }: OperationTarget): string => `${method} ${path}`;

/**
 * Returns how a payment is handled whose row may exist. A row counts only when it has the same payment and secret.
 * @param known row of the payment; null without one
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
