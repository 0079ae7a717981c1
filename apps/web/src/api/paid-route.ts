import { createProblem, type Problem } from '@touchstone/contract';
import { addNotCharged, type PaidOperation } from '@touchstone/payment';
import { openSeller } from '../operations/seller.ts';
import { createTaskQueue } from './task-queue.ts';
import { paidRouteLimiter } from './rate-limit/limiters.ts';
import { createProblemResponse } from './responses.ts';
import { route } from './route.ts';

/**
 * A purchase sends two requests to the facilitator and four to the database. The limit keeps both within their
 * timeouts, and hundreds of simultaneous buyers are processed in order. Behind more than 2,000 others, a payment would
 * expire before it is processed.
 */
const enqueue = createTaskQueue({ maxConcurrent: 16, maxWaiting: 2_000 });

const DISABLED =
  'Paid operations are disabled on this service: the operator has not set X402_PAY_TO, or RPC_URLS has no provider of its network.';
const OVERLOADED = 'Too many payments are waiting. Send the same request again in 10 seconds.';

/**
 * Adds `notCharged` to an error when the request carries no payment. Only POST requests carry one, and an earlier
 * request may have settled it.
 */
export const addPaymentState = (problem: Problem, request: Request): Problem =>
  addNotCharged(
    problem,
    request.method === 'POST' && request.headers.has('payment-signature') ? 'unknown' : 'absent',
  );

/** Creates the handlers of a paid path. Without a configured wallet it has no challenge. */
export function paidRoute<Input>(paidOperation: PaidOperation<Input>) {
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller === null) {
      return createProblemResponse(addNotCharged(createProblem('payment-unavailable', DISABLED), 'absent'));
    }
    if (!request.headers.has('payment-signature')) return seller.respond(request, paidOperation);
    const overloaded = () =>
      createProblemResponse(createProblem('payment-unavailable', OVERLOADED), { 'retry-after': '10' });
    return enqueue(() => seller.respond(request, paidOperation)) ?? overloaded();
  };
  return route({ POST: post }, { limiter: paidRouteLimiter, completeProblem: addPaymentState });
}
