import { findPayment, type ClaimedPayment, type Payment } from '@touchstone/store';
import type { PresentedPayment } from '../request/read-payment.ts';
import type { PaidOperation, ResultCipher } from '../types.ts';
import { toRoute, type PaidRequest, type PurchaseStart } from './paid-request.ts';
import { PAYMENT_STATES, type PaymentState, type RepeatTreatment } from './payment-states.ts';
import { respond, respondUnclaimed } from './respond.ts';

/** Default time after a settlement in which a payment without a secret still gets its result, in seconds. */
const DEFAULT_PUBLIC_REPLAY_SECONDS = 600;

/**
 * Chooses the treatment of a payment that may have been sent before. A stored payment counts only if it has the same
 * payment hash and secret hash.
 * @param stored stored payment with the same key; null without a stored payment
 * @param now milliseconds since the epoch
 */
function chooseTreatment(
  stored: Payment | null,
  { paymentHash, secretHash }: PresentedPayment,
  now: number,
): RepeatTreatment {
  if (stored?.paymentHash !== paymentHash || stored.secretHash !== secretHash) return 'verify';
  const state = PAYMENT_STATES[stored.state];
  return stored.leaseUntil > now ? state.whileLeased : state.afterLease;
}

/**
 * Reads the row of a payment. `known` is the row if the payment was sent before with the same secret and needs no
 * verification; otherwise null.
 */
export async function findKnownPayment<Input>({
  context,
  key,
  payment,
}: PaidRequest<Input>): Promise<{ readonly known: Payment | null; readonly state: PaymentState }> {
  const stored = await findPayment(context.db, key);
  const isKnown = chooseTreatment(stored, payment, context.now()) !== 'verify';
  return { known: isKnown ? stored : null, state: stored?.state ?? 'absent' };
}

/**
 * Handles a payment that was sent before with the same secret. The payment is not verified again, because a facilitator
 * refuses a payment that it has already settled.
 * @returns the response, or the start of a purchase that settles the payment for its stored result
 */
export async function handleKnownPayment<Input>(
  request: PaidRequest<Input>,
  known: Payment,
): Promise<Response | PurchaseStart<Input>> {
  const { context, target, payment, reading } = request;
  if ('problem' in reading) return respondUnclaimed('request-invalid', reading, known.state);
  const { read } = reading;
  if (known.route !== toRoute(target) || known.requestHash !== read.requestHash) {
    return respondUnclaimed('payment-of-other-request', {});
  }
  switch (chooseTreatment(known, payment, context.now())) {
    case 'replay':
      return replayResult(request, known);
    case 'wait':
      return respondUnclaimed('payment-held', {});
    // `verify` occurs here only if the lease ended after the row was read.
    case 'verify':
    case 'settle':
      return { ...read, verification: 'done' };
  }
}

/**
 * Responds with the stored result of a settled payment. Anyone can read a settled payment from the chain, and only the
 * secret identifies the buyer. So a payment without a secret gets its result for a limited time only.
 */
export async function replayResult<Input>(
  request: PaidRequest<Input>,
  stored: Pick<ClaimedPayment, 'result' | 'receipt' | 'settledAt'>,
): Promise<Response> {
  const { context, payment, paidOperation } = request;
  const { publicReplaySeconds: seconds = DEFAULT_PUBLIC_REPLAY_SECONDS } = paidOperation;
  if (stored.result === null) return respond('result-deleted', {});
  const isLate = context.now() - (stored.settledAt ?? 0) > seconds * 1_000;
  if (payment.secretHash === null && isLate) return respond('result-withheld', { seconds });
  const result = await decryptResult(request, stored.result);
  if (result !== null) return respond('result', { result, receipt: stored.receipt ?? '' });
  const { next, response } = PAYMENT_STATES.settled.events['result-unreadable'];
  return respond(response, {}, next);
}

function requireCipher(cipher: ResultCipher | null): ResultCipher {
  if (cipher === null) throw new Error('the keys for the stored results of this operation are missing');
  return cipher;
}

/**
 * Encrypts a result for the database if the operation has a cipher.
 * @throws Error if the keys of the cipher are missing
 */
export async function encryptResult(
  { cipher }: Pick<PaidOperation<never>, 'cipher'>,
  result: string,
): Promise<string> {
  return cipher === undefined ? result : requireCipher(cipher).encrypt(result);
}

/** Decrypts a stored result if the operation has a cipher. @returns null when the result cannot be decrypted */
export async function decryptResult<Input>(
  { context, paidOperation: { cipher } }: PaidRequest<Input>,
  stored: string,
): Promise<string | null> {
  if (cipher === undefined) return stored;
  try {
    return await requireCipher(cipher).decrypt(stored);
  } catch (error) {
    context.onError('the stored result of a payment could not be decrypted', error);
    return null;
  }
}
