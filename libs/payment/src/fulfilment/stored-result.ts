import type { ClaimedPayment } from '@touchstone/store';
import type { SellerContext } from '../seller-context.ts';
import type { PaidOperation, ResultCipher } from '../types.ts';
import type { Fulfilment, PaidRequest } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { releaseClaim } from './release.ts';
import { respond } from './respond.ts';
import { settleAndRespond } from './settle.ts';

/** Default of `publicReplaySeconds`. */
const DEFAULT_PUBLIC_REPLAY_SECONDS = 600;

/** Cipher of an operation: absent if results are stored as they are, null if its keys are missing. */
export type StoredCipher = PaidOperation<never>['cipher'];

const requireCipher = (cipher: ResultCipher | null): ResultCipher => {
  if (cipher === null) throw new Error('the keys for the stored results of this operation are missing');
  return cipher;
};

/**
 * Encrypts a result for the database if the operation has a cipher.
 * @throws Error if the keys of the cipher are missing
 */
export const encryptResult = async (cipher: StoredCipher, result: string): Promise<string> =>
  cipher === undefined ? result : requireCipher(cipher).encrypt(result);

/** Decrypts a stored result if the operation has a cipher. @returns null when the result cannot be decrypted */
const decryptResult = async (
  { onError }: SellerContext,
  cipher: StoredCipher,
  stored: string,
): Promise<string | null> => {
  if (cipher === undefined) return stored;
  try {
    return await requireCipher(cipher).decrypt(stored);
  } catch (error) {
    onError('the stored result of a payment could not be decrypted', error);
    return null;
  }
};

/**
 * Responds with the stored result of a settled payment. Anyone can read a settled payment from the chain, and only the
 * secret identifies the buyer. So a payment without a secret gets its result for a limited time only.
 */
export const replayResult = async <Input>(
  context: SellerContext,
  { payment, paidOperation }: PaidRequest<Input>,
  stored: Pick<ClaimedPayment, 'result' | 'receipt' | 'settledAt'>,
): Promise<Response> => {
  const { cipher, publicReplaySeconds: seconds = DEFAULT_PUBLIC_REPLAY_SECONDS } = paidOperation;
  if (stored.result === null) return respond('result-deleted', {});
  const isLate = context.now() - (stored.settledAt ?? 0) > seconds * 1_000;
  if (payment.secretHash === null && isLate) return respond('result-withheld', { seconds });
  const result = await decryptResult(context, cipher, stored.result);
  if (result !== null) return respond('result', { result, receipt: stored.receipt ?? '' });
  const { next, response } = PAYMENT_STATES.settled.events['result-unreadable'];
  return respond(response, {}, next);
};

/**
 * Settles a payment for its stored result, after an earlier request stored the result. A payment whose result cannot be
 * decrypted is not settled, so that no buyer is charged for a result that cannot be sent.
 */
export const settleStoredResult = async (
  fulfilment: Fulfilment,
  cipher: StoredCipher,
  stored: string,
): Promise<Response> => {
  const result = await decryptResult(fulfilment.context, cipher, stored);
  if (result !== null) return settleAndRespond(fulfilment, result);
  await releaseClaim(fulfilment);
  const { next, response } = PAYMENT_STATES.settling.events['result-unreadable'];
  return respond(response, {}, next);
};
