import { randomUUID } from 'node:crypto';
import {
  claimPayment,
  findPayment,
  type ClaimedPayment,
  type Payment,
  type PaymentKey,
} from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
import { getAddress } from 'viem';
import {
  challengeAnswer,
  deliveredAnswer,
  forgottenAnswer,
  inProgressAnswer,
  limitedAnswer,
  malformedAnswer,
  refusalAnswer,
  reusedAnswer,
  saleProblem,
  unverifiedAnswer,
  withheldAnswer,
} from './answers.ts';
import { earn, finish, release } from './earn.ts';
import { FacilitatorTrouble } from './guard-facilitator.ts';
import { claimOf, type PaidRequest } from './purchase.ts';
import { readInput, type ReadInput } from './read-input.ts';
import { readPayment, type PresentedPayment } from './read-payment.ts';
import type { Shop } from './shop.ts';
import type { Place } from './till.ts';
import type { Sale } from './types.ts';

const RESOURCE_LENGTH = 2_048;
/** How long a result is given again to who cannot be told from a reader of the chain. */
const PUBLIC_MS = 600_000;

/** A request that carries a payment. */
interface Visit<Input> {
  readonly place: Place;
  readonly payment: PresentedPayment;
  readonly sale: Sale<Input>;
  /** Reads the body, once. */
  readonly read: () => ReturnType<typeof readInput<Input>>;
}

const placeOf = (request: Request, operation: Place['operation']): Place => ({
  operation,
  path: operation.path.includes('{') ? new URL(request.url).pathname : operation.path,
});

const routeOf = ({ method, path }: Place['operation']): string => `${method} ${path}`;

const keyOf = ({ till }: Shop, { authorization: { payer, nonce } }: PresentedPayment): PaymentKey => ({
  network: till.network,
  asset: till.asset,
  payer,
  nonce,
});

const keptAnswer = (
  { now }: Shop,
  { secretHash }: PresentedPayment,
  kept: Pick<ClaimedPayment, 'result' | 'receipt' | 'settledAt'>,
): Response => {
  if (kept.result === null) return forgottenAnswer();
  const late = now() - (kept.settledAt ?? 0) > PUBLIC_MS;
  return secretHash === null && late ? withheldAnswer() : deliveredAnswer(kept.result, kept.receipt ?? '');
};

/** Terms, since when the payment is known, and whether it was verified for this very request. */
interface Standing {
  readonly terms: PaymentRequirements;
  readonly since: number;
  readonly verified: boolean;
}

/** Takes a payment for a request that was read, and serves it as far as nobody else has. */
const take = async <Input>(
  shop: Shop,
  { payment, sale, place }: Visit<Input>,
  { input, requestHash, terms, since, verified }: ReadInput<Input> & Standing,
): Promise<Response> => {
  const { authorization, payload } = payment;
  const resource = cleanText(sale.resourceOf(input), RESOURCE_LENGTH) ?? '';
  const key = { ...keyOf(shop, payment), owner: randomUUID() };
  const claim = claimOf(key, payment, { route: routeOf(sale.operation), requestHash, resource });
  const { workSeconds, settleSeconds } = shop.leases;
  const lease = { now: shop.now(), leaseSeconds: verified ? workSeconds : settleSeconds };
  const claimed = await claimPayment(shop.db, claim, lease);
  const paid: PaidRequest = {
    place,
    key,
    authorization,
    // What is settled are our terms, and not what was said to be.
    payload: { ...payload, accepted: terms },
    terms,
    since,
    attempt: Math.max(1, claimed.attempt),
  };
  switch (claimed.outcome) {
    case 'claimed': {
      if (verified) {
        const work = () => sale.work(input, { payer: authorization.payer });
        return earn(shop, paid, { open: claimed.openPayments, work });
      }
      // It was given up in this very moment: it is verified when it is sent again.
      await release(shop, paid);
      return inProgressAnswer();
    }
    case 'resumed':
      return finish(shop, paid, { result: claimed.result ?? '' });
    case 'settled':
      return keptAnswer(shop, payment, claimed);
    case 'busy':
      return inProgressAnswer();
    case 'other':
      return reusedAnswer();
    case 'limited':
      return limitedAnswer(Math.max(1, Math.ceil(((claimed.retryAt ?? 0) - shop.now()) / 1_000)));
  }
};

/**
 * The same payment again, with the secret that it came with before: it is not verified again, for a facilitator refuses
 * what it has settled. Its terms are those that it was taken for.
 */
const serveAgain = async <Input>(shop: Shop, visit: Visit<Input>, known: Payment): Promise<Response> => {
  const { place, payment, sale } = visit;
  const reading = await visit.read();
  if ('problem' in reading) return saleProblem(reading.problem, false);
  const { requestHash } = reading.read;
  if (known.route !== routeOf(sale.operation) || known.requestHash !== requestHash) return reusedAnswer();
  if (known.state === 'settled' || known.state === 'disputed') return keptAnswer(shop, payment, known);
  if (known.leaseUntil > shop.now()) return inProgressAnswer();
  const terms = {
    ...(await shop.till.terms(place)),
    amount: known.amount.toString(),
    payTo: getAddress(known.payTo),
  };
  return take(shop, visit, { ...reading.read, terms, since: known.createdAt, verified: false });
};

/** Whether the work of a payment is done, or somebody may be doing it, and this is who presented it. */
const isServed = (known: Payment, { paymentHash, secretHash }: PresentedPayment, now: number): boolean =>
  known.paymentHash === paymentHash &&
  known.secretHash === secretHash &&
  known.state !== 'failed' &&
  (known.state !== 'working' || known.leaseUntil > now);

/** A payment that is worth nothing: it is looked up once more, since it may have been served in the meantime. */
const turnAway = async <Input>(
  shop: Shop,
  visit: Visit<Input>,
  answer: (clear: boolean) => Response,
): Promise<Response> => {
  const known = await findPayment(shop.db, keyOf(shop, visit.payment));
  if (known !== null && isServed(known, visit.payment, shop.now())) return serveAgain(shop, visit, known);
  return answer(known === null || known.state === 'failed');
};

/** A payment that nobody has presented, or whose work was never finished: it is verified before anything else. */
const serveNew = async <Input>(shop: Shop, visit: Visit<Input>): Promise<Response> => {
  const { place, payment } = visit;
  const verdict = await shop.till.verify(place, payment.payload);
  if ('refused' in verdict) {
    return turnAway(shop, visit, (clear) => refusalAnswer(verdict.refused, clear));
  }
  const reading = await visit.read();
  if ('problem' in reading) {
    return turnAway(shop, visit, (clear) => saleProblem(reading.problem, clear));
  }
  const { terms } = verdict;
  return take(shop, visit, { ...reading.read, terms, since: shop.now(), verified: true });
};

const servePaid = async <Input>(shop: Shop, visit: Visit<Input>): Promise<Response> => {
  const known = await findPayment(shop.db, keyOf(shop, visit.payment));
  if (known !== null && isServed(known, visit.payment, shop.now())) return serveAgain(shop, visit, known);
  try {
    return await serveNew(shop, visit);
  } catch (error) {
    if (!(error instanceof FacilitatorTrouble)) throw error;
    shop.onTrouble(error.message, error);
    return turnAway(shop, visit, unverifiedAnswer);
  }
};

/** Answers a request to a paid operation. @throws where the database fails before anything was settled */
export const serve = async <Input>(shop: Shop, request: Request, sale: Sale<Input>): Promise<Response> => {
  const place = placeOf(request, sale.operation);
  const presented = readPayment(request.headers.get('payment-signature'));
  switch (presented.kind) {
    case 'none':
      return challengeAnswer(await shop.till.challenge(place));
    case 'malformed':
      return malformedAnswer(presented.reason);
    case 'foreign':
      return refusalAnswer(await shop.till.challenge(place, 'invalid_payload'), true);
    case 'payment': {
      let reading: ReturnType<typeof readInput<Input>> | undefined;
      const read = () => (reading ??= readInput(request, place.path, sale));
      return servePaid(shop, { place, payment: presented.payment, sale, read });
    }
  }
};
