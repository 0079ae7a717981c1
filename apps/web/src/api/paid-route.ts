import { problemOf } from '@touchstone/contract';
import type { Sale } from '@touchstone/payment';
import { openSeller } from '../seller.ts';
import { problemAnswer } from './answers.ts';
import { createTurns } from './in-turn.ts';
import { saleLimiter } from './limits.ts';
import { route } from './route.ts';

/**
 * A purchase asks the facilitator twice and the database four times. As many at once as both answer within their time;
 * hundreds of buyers who come together are served one batch after the other. Who waits behind two thousand others would
 * have a payment that runs out before its turn.
 */
const inTurn = createTurns({ atOnce: 16, mostWaiting: 2_000 });

/** The handlers of a path where something is sold. Without a wallet to be paid there is no challenge to give. */
export function paidRoute<Input>(sale: Sale<Input>) {
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller === null) {
      return unavailable(request, {
        detail:
          'Nothing is sold here at present: the operator has not said to which wallet, or where its chain is read.',
      });
    }
    if (!request.headers.has('payment-signature')) return seller.sell(request, sale);
    const sold = inTurn(() => seller.sell(request, sale));
    const detail = 'Too many buyers wait already. Send the same request again in a while.';
    return sold ?? unavailable(request, { detail, retryAfter: 10 });
  };
  return route({ POST: post }, { limiter: saleLimiter, paid: true });
}

/**
 * An earlier request with the same payment may have been charged, so of one with a payment nothing is said.
 *
 * @param retryAfter seconds
 */
function unavailable(
  request: Request,
  { detail, retryAfter }: { readonly detail: string; readonly retryAfter?: number },
): Response {
  const charged = request.headers.has('payment-signature') ? {} : ({ notCharged: true } as const);
  const problem = problemOf('payment-unavailable', detail, charged);
  return problemAnswer(problem, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}
