import { ChainUnreadableError } from '@touchstone/chain';
import { storePaymentResult, type ClaimedPayment } from '@touchstone/store';
import type { WorkResult } from '../types.ts';
import { canAfford } from './can-afford.ts';
import type { Fulfilment } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { releaseClaim } from './release.ts';
import { respond, type ResponseDetails } from './respond.ts';
import { settleAndRespond } from './settle.ts';

type OpenPayments = ClaimedPayment['openPayments'];

const EVENTS = PAYMENT_STATES.working.events;
/** Events that end a request before settlement. */
type UnpaidEvent = Exclude<keyof typeof EVENTS, 'claimed' | 'result-stored' | 'lease-lost'>;

/** Releases a payment that bought nothing, and builds the response of the event. */
export const endUnpaid = async <Event extends UnpaidEvent>(
  fulfilment: Fulfilment,
  event: Event,
  details: ResponseDetails[(typeof EVENTS)[Event]['response']],
): Promise<Response> => {
  const { next, response } = EVENTS[event];
  const isReleased = await releaseClaim(fulfilment);
  // The client sends the same payment again, so it must not take it for unused.
  const state = isReleased && response !== 'in-progress' ? next : 'unknown';
  return respond<(typeof EVENTS)[Event]['response']>(response, details, state);
};

/** Checks the balance of the payer. @returns null when the work may start, else the response */
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

/** Does the work. @returns its result as JSON, or the response when it has none */
const doWork = async (
  fulfilment: Fulfilment,
  work: () => Promise<WorkResult>,
): Promise<string | Response> => {
  try {
    const finished = await work();
    if ('problem' in finished) {
      return await endUnpaid(fulfilment, 'work-refused', { problem: finished.problem });
    }
    return JSON.stringify(finished.body);
  } catch (error) {
    fulfilment.context.onError('paid work failed', error);
    return endUnpaid(fulfilment, 'work-failed', {});
  }
};

/** Stores a result before its settlement. @returns null when it is stored, else the response */
const storeResult = async (fulfilment: Fulfilment, result: string): Promise<Response | null> => {
  const { context, request } = fulfilment;
  const { db, leases, now, onError } = context;
  try {
    const stored = { result, now: now(), leaseSeconds: leases.settleSeconds };
    if (await storePaymentResult(db, request.key, stored)) return null;
    // The request that claimed the payment after the lease does the work again and settles.
    return respond(EVENTS['lease-lost'].response, {}, EVENTS['lease-lost'].next);
  } catch (error) {
    onError('the result of paid work could not be stored', error);
    const { next, response } = EVENTS['result-not-stored'];
    // Without a release the result may be stored after all, and be settled and delivered later.
    const isReleased = await releaseClaim(fulfilment);
    return respond(response, {}, isReleased ? next : 'unknown');
  }
};

/**
 * Does the work of a claimed payment and stores the result. Only then is the payment settled.
 * @param open other open payments of the payer
 */
export const fulfil = async (
  fulfilment: Fulfilment,
  open: OpenPayments,
  work: () => Promise<WorkResult>,
): Promise<Response> => {
  const rejection = await checkBalance(fulfilment, open);
  if (rejection !== null) return rejection;
  const result = await doWork(fulfilment, work);
  if (result instanceof Response) return result;
  return (await storeResult(fulfilment, result)) ?? settleAndRespond(fulfilment, result);
};
