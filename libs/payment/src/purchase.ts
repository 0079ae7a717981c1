import type { PaymentClaim, PaymentKey } from '@touchstone/store';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Authorization } from './read-payment.ts';
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
  /** An earlier request has begun to settle it. */
  readonly resumed: boolean;
}

/** Seconds that a date of the year 9999 has, which is as late as the database is told. */
const LATEST_SECONDS = 253_402_300_799n;

/** The row of a payment. */
export const claimOf = (
  key: PaidRequest['key'],
  authorization: Authorization,
  request: Pick<PaymentClaim, 'route' | 'requestHash' | 'headerHash' | 'resource'>,
): PaymentClaim => {
  const { validBefore, payTo, amount } = authorization;
  const seconds = validBefore < LATEST_SECONDS ? validBefore : LATEST_SECONDS;
  return { ...key, ...request, payTo, amount, validBefore: Number(seconds) * 1_000 };
};
