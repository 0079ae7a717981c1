import { problemOf } from '@touchstone/contract';
import type { Sale } from '@touchstone/payment';
import { openSeller } from '../seller.ts';
import { problemAnswer } from './answers.ts';
import { saleLimiter } from './limits.ts';
import { route } from './route.ts';

/** The handlers of a path where something is sold. Without a wallet to be paid there is no challenge to give. */
export function paidRoute<Input>(sale: Sale<Input>) {
  const post = (request: Request): Promise<Response> => {
    const seller = openSeller();
    return seller === null ? Promise.resolve(notSold()) : seller.sell(request, sale);
  };
  return route({ POST: post }, { limiter: saleLimiter, paid: true });
}

function notSold(): Response {
  const detail = 'Nothing is sold here at present: the operator has not set X402_PAY_TO.';
  return problemAnswer(problemOf('payment-unavailable', detail, { notCharged: true }));
}
