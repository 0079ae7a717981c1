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

const CLOSED =
  'Nothing is sold here at present: the operator has not set X402_PAY_TO, or no RPC_URLS for its network.';
const CROWDED = 'Too many buyers wait already. Send the same request again in a while.';

/** The handlers of a path where something is sold. Without a wallet to be paid there is no challenge to give. */
export function paidRoute<Input>(sale: Sale<Input>) {
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller === null) return problemAnswer(problemOf('payment-unavailable', CLOSED, { notCharged: true }));
    if (!request.headers.has('payment-signature')) return seller.sell(request, sale);
    // An earlier request with the same payment may have been charged, so nothing is said of that.
    const crowded = () => problemAnswer(problemOf('payment-unavailable', CROWDED), { 'retry-after': '10' });
    return inTurn(() => seller.sell(request, sale)) ?? crowded();
  };
  return route({ POST: post }, { limiter: saleLimiter, paid: true });
}
