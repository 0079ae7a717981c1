import { createProblem, type Problem } from '@touchstone/contract';
import { addNotCharged, toUnreadState, type PaidOperation } from '@touchstone/payment';
import { openSeller } from '../operations/seller.ts';
import { createTaskQueue } from './task-queue.ts';
import { paidRouteLimiter } from './rate-limit/limiters.ts';
import { createProblemResponse } from './responses.ts';
import { route } from './route.ts';

/**
 * Queue of requests with a payment. Each purchase sends two requests to the facilitator and four to the database. At
 * most 16 purchases run at the same time, so that these requests do not time out. At most 2,000 purchases wait, because
 * a payment would expire in a longer queue.
 */
const enqueuePurchase = createTaskQueue({ maxConcurrent: 16, maxWaiting: 2_000 });

const DISABLED =
  'Paid operations are disabled on this service: the operator has not set X402_PAY_TO, or RPC_URLS has no provider of its network.';
const OVERLOADED = 'Too many payments are waiting. Send the same request again in 10 seconds.';

/**
 * Adds `notCharged` to an error if its request carries no payment. Only a POST request can carry a payment. The error
 * for such a request is not changed, because an earlier request with the same payment may have settled it.
 */
export const addPaymentState = (problem: Problem, request: Request): Problem =>
  addNotCharged(problem, {
    state: toUnreadState(request.method === 'POST' ? request.headers.get('payment-signature') : null),
  });

/**
 * Creates the handlers of a paid path. If payments are disabled, a POST request gets an error instead of a payment
 * challenge.
 *
 * @param enqueue queue of the purchases; by default the one that most paid operations share
 */
export function paidRoute<Input>(paidOperation: PaidOperation<Input>, enqueue = enqueuePurchase) {
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller === null) {
      // Without a seller no payment is read, so the error is the same as for a request without a payment.
      const problem = createProblem('payment-unavailable', DISABLED);
      return createProblemResponse(addNotCharged(problem, { state: toUnreadState(null) }));
    }
    if (!request.headers.has('payment-signature')) return seller.respond(request, paidOperation);
    const overloaded = () =>
      createProblemResponse(createProblem('payment-unavailable', OVERLOADED), { 'retry-after': '10' });
    return enqueue(() => seller.respond(request, paidOperation)) ?? overloaded();
  };
  return route({ POST: post }, { limiter: paidRouteLimiter, completeProblem: addPaymentState });
}
