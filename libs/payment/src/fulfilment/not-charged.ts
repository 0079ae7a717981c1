import { withNotCharged, type Problem } from '@touchstone/contract';
import { PAYMENT_STATES, type KnownState, type ResponseKind } from './payment-states.ts';

/** End of a request: the state of its payment, and the kind of its response if the seller responds. */
export interface Outcome {
  readonly state: KnownState;
  readonly response?: ResponseKind;
}

/**
 * Returns true if the response may say that nothing was charged. No other code decides this, because a payer who reads
 * it may sign a second payment. The response `in-progress` never says it, because another request may then settle the
 * payment.
 */
const isNotCharged = ({ state, response }: Outcome): boolean =>
  response !== 'in-progress' && state !== 'unknown' && PAYMENT_STATES[state].isNotCharged;

/** Adds `notCharged` to the body of an error if nothing was charged. */
export const addNotCharged = <Body extends { readonly detail: string }>(
  body: Body,
  outcome: Outcome,
): Body | (Body & { readonly notCharged: true }) => (isNotCharged(outcome) ? withNotCharged(body) : body);

/** Returns a problem without `notCharged` and without the sentence "Nothing was charged." */
export const removeNotCharged = (problem: Problem): Problem => {
  const { notCharged, ...rest } = problem;
  if (notCharged === undefined) return problem;
  return { ...rest, detail: rest.detail.replace(/ Nothing was charged\.$/, '') };
};

/**
 * Returns the state of a payment that was not read. An earlier request with the same payment may have settled it.
 * @param header PAYMENT-SIGNATURE header; null if the request carries no payment
 */
export const toUnreadState = (header: string | null): KnownState => (header === null ? 'absent' : 'unknown');
