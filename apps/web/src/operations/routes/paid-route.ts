import { createProblem, type Problem } from '@touchstone/contract';
import { addNotCharged, toUnreadState, type PaidOperation } from '@touchstone/payment';
import { openSeller } from '../seller.ts';
import { getClient, paidRouteLimiter } from '../../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';

const DISABLED =
  'Paid operations are disabled on this service: the operator has not set X402_PAY_TO, or RPC_URLS has no provider of its network.';

/**
 * Adds `notCharged` to an error if its request carries no payment. Only a POST request can carry a payment. The error
 * for such a request is not changed, because an earlier request with the same payment may have settled it.
 */
export function addPaymentState(problem: Problem, request: Request): Problem {
  return addNotCharged(problem, {
    state: toUnreadState(request.method === 'POST' ? request.headers.get('payment-signature') : null),
  });
}

/**
 * Creates the handlers of a paid path. If payments are disabled, a POST request gets an error instead of a payment
 * challenge.
 */
export function paidRoute<Input>(paidOperation: PaidOperation<Input>) {
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller !== null) return seller.respond(request, paidOperation, { client: getClient(request) });
    // Without a seller no payment is read, so the error is the same as for a request without a payment.
    const problem = createProblem('payment-unavailable', DISABLED);
    return createProblemResponse(addNotCharged(problem, { state: toUnreadState(null) }));
  };
  return route({ POST: post }, { limiter: paidRouteLimiter, completeProblem: addPaymentState });
}
