import { refusePayment, releasePayment } from '@touchstone/store';
import type { Fulfilment } from './paid-request.ts';

/**
 * Releases the lease of a payment. If the release fails, the lease ends when it expires.
 * @returns true when it is certain that no settlement began and no other request holds the payment
 */
export const releaseClaim = async ({ context, request }: Fulfilment): Promise<boolean> => {
  const { db, now, onError } = context;
  try {
    return await releasePayment(db, request.key, now());
  } catch (error) {
    onError('a payment could not be released', error);
    return false;
  }
};

/**
 * Marks a payment as failed after a refused settlement.
 * @returns false when the payment could not be marked and is still open
 */
export const failClaim = async ({ context, request }: Fulfilment): Promise<boolean> => {
  const { db, now, onError } = context;
  try {
    return await refusePayment(db, request.key, now());
  } catch (error) {
    onError('a refused payment could not be marked as failed', error);
    return false;
  }
};
