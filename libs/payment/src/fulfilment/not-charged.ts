import { withNotCharged } from '@touchstone/contract';
import { PAYMENT_STATES, type PaymentState } from './payment-states.ts';

/** The state of the payment that a request carries; `absent` without a payment, `unknown` when it could not be read. */
export type KnownState = PaymentState | 'unknown';

/**
 * Adds to the body of an error that nothing was charged, when the state of the payment makes that certain. This is the
 * only place that decides it: a payer who reads it may sign a second payment.
 */
export const addNotCharged = <Body extends { readonly detail: string }>(
  body: Body,
  state: KnownState,
): Body | (Body & { readonly notCharged: true }) =>
  state !== 'unknown' && PAYMENT_STATES[state].isNotCharged ? withNotCharged(body) : body;
