import type { PaymentClaim, PaymentKey } from '@touchstone/store';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Authorization, PresentedPayment } from './read-payment.ts';
import type { Place } from './till.ts';

/** A payment that is being served: whose it is, what it carries, and what it pays. */
export interface PaidRequest {
  readonly place: Place;
  readonly key: PaymentKey & { readonly owner: string };
  readonly authorization: Authorization;
  readonly payload: PaymentPayload;
  readonly terms: PaymentRequirements;
  /** When it was first presented, milliseconds since the epoch. */
  readonly since: number;
  /** Which settlement of its result this one is; from the second on, an earlier one may have moved the money. */
  readonly attempt: number;
}

/** The row of a payment, whose time was found to end soon enough to have a date. */
export const claimOf = (
  key: PaidRequest['key'],
  { authorization, paymentHash, secretHash }: PresentedPayment,
  request: Pick<PaymentClaim, 'route' | 'requestHash' | 'resource'>,
): PaymentClaim => {
  const { validBefore, payTo, amount } = authorization;
  const validBeforeMs = Number(validBefore) * 1_000;
  return { ...key, ...request, paymentHash, secretHash, payTo, amount, validBefore: validBeforeMs };
};
