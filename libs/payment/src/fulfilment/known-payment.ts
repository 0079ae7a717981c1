import { findPayment, type ClaimedPayment, type StoredPayment } from '@touchstone/store';
import type { PresentedPayment } from '../request/read-payment.ts';
import { z } from 'zod';
import type { ResultCipher } from '../types.ts';
import { toRoute, type PaidRequest, type PurchaseStart } from './paid-request.ts';
import { PAYMENT_STATES, type PaymentState, type RepeatTreatment } from './payment-states.ts';
import { respond, respondUnclaimed } from './respond.ts';

/** Default time after a settlement in which a payment without a secret still gets its result, in seconds. */
const DEFAULT_PUBLIC_REPLAY_SECONDS = 600;

/**
 * Chooses the treatment of a payment that may have been sent before. A stored payment counts only if it has the same
 * payment hash and secret hash.
 * @param stored stored payment with the same key; null without a stored payment
 */
function chooseTreatment(
  stored: StoredPayment | null,
  { paymentHash, secretHash }: PresentedPayment,
): RepeatTreatment {
  if (stored?.paymentHash !== paymentHash || stored.secretHash !== secretHash) return 'verify';
  const state = PAYMENT_STATES[stored.state];
  if (stored.isLeased) return state.whileLeased;
  return findUndelivered(stored) === null ? state.afterLease : 'settle';
}

/**
 * Returns the transaction of a payment whose work is unfinished and whose transfer reconciliation confirmed; otherwise
 * null. The transaction of any other unfinished payment is read from the chain again, because one provider may have been
 * wrong.
 */
function findUndelivered({ state, auditedAt, transaction }: StoredPayment): string | null {
  return state === 'working' && auditedAt !== null ? transaction : null;
}

/**
 * Reads the row of a payment. `known` is the row if the payment was sent before with the same secret and needs no
 * verification; otherwise null.
 */
export async function findKnownPayment<Input>({
  context,
  key,
  payment,
}: PaidRequest<Input>): Promise<{ readonly known: StoredPayment | null; readonly state: PaymentState }> {
  const stored = await findPayment(context.db, key);
  const isKnown = chooseTreatment(stored, payment) !== 'verify';
  return { known: isKnown ? stored : null, state: stored?.state ?? 'absent' };
}

/**
 * Handles a payment that was sent before with the same secret. The payment is not verified again, because a facilitator
 * refuses a payment that it has already settled.
 * @returns the response, or the start of a purchase that settles the payment for its stored result
 */
export async function handleKnownPayment<Input>(
  request: PaidRequest<Input>,
  known: StoredPayment,
): Promise<Response | PurchaseStart<Input>> {
  const { target, payment, reading } = request;
  if ('problem' in reading) return respondUnclaimed('request-invalid', reading, known.state);
  const { read } = reading;
  const isOther = known.route !== toRoute(target) || known.requestHash !== read.requestHash;
  // A paid payment without a result is not bound to its request: its work can end in a problem.
  if (isOther && findUndelivered(known) === null) {
    return respondUnclaimed('payment-of-other-request', {});
  }
  switch (chooseTreatment(known, payment)) {
    case 'replay':
      return replayResult(request, known);
    case 'wait':
      return respondUnclaimed('payment-held', {});
    // `verify` does not occur, because the row of such a payment is not known.
    case 'verify':
    case 'settle':
      return { ...read, verification: 'done', paidBy: findUndelivered(known) ?? undefined };
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
  const { context, payment } = request;
  if (stored.result === null) return respond('result-deleted', {});
  const isLate = context.now() - (stored.settledAt ?? 0) > getPublicReplaySeconds(request) * 1_000;
  if (payment.secretHash === null && isLate) return respondWithheld(request);
  const result = await openResult(request, stored.result);
  if (result === 'withheld') return respondWithheld(request);
  if (result !== 'unreadable') return respondSettled(request, result.result, stored.receipt ?? '');
  return respondUnreadable();
}

function respondUnreadable(): Response {
  const { next, response } = PAYMENT_STATES.settled.events['result-unreadable'];
  return respond(response, {}, next);
}

/**
 * Responds with the result of a settled payment.
 * @param result result of the work, which is replaced if the operation reads its result after the settlement
 */
export async function respondSettled<Input>(
  { context, key, paidOperation: { readSettled } }: PaidRequest<Input>,
  result: string,
  receipt: string,
): Promise<Response> {
  const { next, response } = PAYMENT_STATES.settling.events.settled;
  if (readSettled === undefined) return respond(response, { result, receipt }, next);
  try {
    return respond(response, { result: JSON.stringify(await readSettled(key)), receipt }, next);
  } catch (error) {
    context.onError('the result of a settled payment could not be read', error);
    return respondUnreadable();
  }
}

function getPublicReplaySeconds<Input>({ paidOperation }: PaidRequest<Input>): number {
  return paidOperation.publicReplaySeconds ?? DEFAULT_PUBLIC_REPLAY_SECONDS;
}

function respondWithheld<Input>(request: PaidRequest<Input>): Response {
  const isSecret = request.paidOperation.cipher !== undefined;
  return respond('result-withheld', { seconds: getPublicReplaySeconds(request), isSecret });
}

function requireCipher(cipher: ResultCipher | null): ResultCipher {
  if (cipher === null) throw new Error('the keys for the stored results of this operation are missing');
  return cipher;
}

/** Content of an encrypted result: the result as JSON, and the id of the client that bought it. */
const secretResultSchema = z.object({ result: z.string(), client: z.string() });

/**
 * Returns a result in the form in which the database stores it. If the operation has a cipher, the result is encrypted
 * together with its client, because the address of a client is not stored in plain text.
 * @throws Error if the keys of the cipher are missing
 */
export async function sealResult<Input>(
  { paidOperation: { cipher }, address }: PaidRequest<Input>,
  result: string,
): Promise<string> {
  const content: z.infer<typeof secretResultSchema> = { result, client: address };
  return cipher === undefined ? result : requireCipher(cipher).encrypt(JSON.stringify(content));
}

/**
 * Reads a stored result. Anyone can read a payment from the chain, so a payment without a secret does not prove its
 * buyer. Such a payment gets a secret result only from the client that bought it.
 * @returns `unreadable` if the result cannot be decrypted, `withheld` if another client bought the result
 */
export async function openResult<Input>(
  { context, payment, address, paidOperation: { cipher } }: PaidRequest<Input>,
  stored: string,
): Promise<{ readonly result: string } | 'unreadable' | 'withheld'> {
  if (cipher === undefined) return { result: stored };
  try {
    const text = await requireCipher(cipher).decrypt(stored);
    const content = secretResultSchema.parse(JSON.parse(text));
    return payment.secretHash === null && content.client !== address ? 'withheld' : content;
  } catch (error) {
    context.onError('the stored result of a payment could not be decrypted', error);
    return 'unreadable';
  }
}
