import { withNotCharged } from '@touchstone/contract';
import { PAYMENT_STATES, type PaymentState } from './payment-states.ts';

/**
 * State of the payment of a request: `absent` if the request has no payment, `unknown` if the state could not be read.
 */
export type KnownState = PaymentState | 'unknown';

/**
 * Adds `notCharged` to the body of an error when the payment's state makes it certain that nothing was charged. No
 * other code adds `notCharged`, because a payer who reads it may sign a second payment.
 */
export const addNotCharged = <Body extends { readonly detail: string }>(
  body: Body,
  state: KnownState,
): Body | (Body & { readonly notCharged: true }) =>
  state !== 'unknown' && PAYMENT_STATES[state].isNotCharged ? withNotCharged(body) : body;
