import { ChainUnreadableError } from '@touchstone/chain';
import { storePaymentResult, type ClaimedPayment } from '@touchstone/store';
import { canAfford } from './can-afford.ts';
import { toResponseState, type Fulfilment } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { releaseClaim } from './release.ts';
import { respond, respondUnclaimed, type ResponseDetails } from './respond.ts';
import { settleAndRespond } from './settle.ts';
import type { WorkResult } from '../types.ts';
import { encryptResult, type StoredCipher } from './stored-result.ts';

type OpenPayments = ClaimedPayment['openPayments'];

const EVENTS = PAYMENT_STATES.working.events;
/** Events that end a request before its payment is settled. */
type UnpaidEvent = Exclude<keyof typeof EVENTS, 'claimed' | 'result-stored' | 'pruned'>;

/**
 * Releases a payment when an event ends its request without a result. Returns the response for this event. If the
 * release fails, the result may be stored or another request may hold the payment, so the state is unknown.
 */
export const endUnpaid = async <Event extends UnpaidEvent>(
  fulfilment: Fulfilment,
  event: Event,
  details: ResponseDetails[(typeof EVENTS)[Event]['response']],
): Promise<Response> => {
  const { next, response } = EVENTS[event];
  const released = (await releaseClaim(fulfilment)) ? next : 'unknown';
  const state = toResponseState(fulfilment.request, released);
  return respond<(typeof EVENTS)[Event]['response']>(response, details, state);
};

/**
 * Checks that the payer's balance covers the payment.
 * @returns null if it does, otherwise the response
 */
const checkBalance = async (fulfilment: Fulfilment, open: OpenPayments): Promise<Response | null> => {
  const { context, request } = fulfilment;
  try {
    if (await canAfford(context, request, open)) return null;
    const challenge = await context.gateway.createChallenge(request.target, 'insufficient_funds');
    return await endUnpaid(fulfilment, 'balance-too-low', { challenge });
  } catch (error) {
    if (error instanceof ChainUnreadableError) {
      context.onError(error.message, error);
      return endUnpaid(fulfilment, 'balance-unreadable', {});
    }
    await releaseClaim(fulfilment);
    throw error;
  }
};

/**
 * Completes the work of a paid operation.
 * @returns the result as JSON, or a response when the work has no result
 */
const doWork = async (
  fulfilment: Fulfilment,
  work: () => Promise<WorkResult>,
): Promise<string | Response> => {
  try {
    const finished = await work();
    if ('problem' in finished) return await endUnpaid(fulfilment, 'work-refused', finished);
    return JSON.stringify(finished.body);
  } catch (error) {
    fulfilment.context.onError('paid work failed', error);
    return endUnpaid(fulfilment, 'work-failed', {});
  }
};

/**
 * Stores a result before its payment is settled, encrypted if the operation has a cipher.
 * @returns null when the result is stored, otherwise the response
 */
const storeResult = async (
  fulfilment: Fulfilment,
  cipher: StoredCipher,
  plainResult: string,
): Promise<Response | null> => {
  const { context, request } = fulfilment;
  const { db, leases, now, onError } = context;
  try {
    const result = await encryptResult(cipher, plainResult);
    const stored = { result, now: now(), leaseSeconds: leases.settleSeconds };
    if (await storePaymentResult(db, request.key, stored)) return null;
    return respondUnclaimed('lease-lost', {});
  } catch (error) {
    onError('the result of paid work could not be stored', error);
    return endUnpaid(fulfilment, 'result-not-stored', {});
  }
};

/** Work of a claimed payment, and the cipher of its stored result. */
interface ClaimedWork {
  readonly work: () => Promise<WorkResult>;
  readonly cipher: StoredCipher;
}

/**
 * Completes the work of a claimed payment and stores the result. The payment is settled only after that.
 * @param open other open payments of the payer
 */
export const fulfil = async (
  fulfilment: Fulfilment,
  open: OpenPayments,
  { work, cipher }: ClaimedWork,
): Promise<Response> => {
  const rejection = await checkBalance(fulfilment, open);
  if (rejection !== null) return rejection;
  const result = await doWork(fulfilment, work);
  if (result instanceof Response) return result;
  return (await storeResult(fulfilment, cipher, result)) ?? settleAndRespond(fulfilment, result);
};
