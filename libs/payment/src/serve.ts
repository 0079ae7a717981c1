import { randomUUID } from 'node:crypto';
import { claimPayment, findPayment, type Payment, type PaymentKey } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import {
  challengeAnswer,
  deliveredAnswer,
  forgottenAnswer,
  inProgressAnswer,
  malformedAnswer,
  problemAnswer,
  refusalAnswer,
  reusedAnswer,
  unverifiedAnswer,
} from './answers.ts';
import { earn, finish } from './earn.ts';
import { FacilitatorTrouble } from './guard-facilitator.ts';
import { claimOf, type PaidRequest } from './purchase.ts';
import { readInput, type ReadInput } from './read-input.ts';
import { readPayment, type Authorization, type PresentedPayment } from './read-payment.ts';
import type { Shop } from './shop.ts';
import type { Place } from './till.ts';
import type { Sale } from './types.ts';

const RESOURCE_LENGTH = 2_048;

/** A request that carries a payment. */
interface Visit<Input> {
  readonly place: Place;
  readonly request: Request;
  readonly header: string;
  readonly payment: PresentedPayment;
  readonly sale: Sale<Input>;
}

const placeOf = (request: Request, operation: Place['operation']): Place => ({
  operation,
  path: operation.path.includes('{') ? new URL(request.url).pathname : operation.path,
});

const routeOf = ({ method, path }: Place['operation']): string => `${method} ${path}`;

const keyOf = ({ till }: Shop, { payer, nonce }: Authorization): PaymentKey => ({
  network: till.network,
  asset: till.asset,
  payer,
  nonce,
});

const keptAnswer = (result: string | null, receipt: string | null): Response =>
  result === null ? forgottenAnswer() : deliveredAnswer(result, receipt ?? '');

type Taking = Omit<PaidRequest, 'resumed'> & { readonly leaseSeconds: number };

/** Takes a payment for a request that was read, and serves it as far as nobody else has. */
const take = async <Input>(
  shop: Shop,
  { payment: { headerHash }, sale }: Visit<Input>,
  { input, requestHash, ...paid }: ReadInput<Input> & Taking,
): Promise<Response> => {
  const resource = cleanText(sale.resourceOf(input), RESOURCE_LENGTH) ?? '';
  const request = { route: routeOf(sale.operation), requestHash, headerHash, resource };
  const claim = claimOf(paid.key, paid.authorization, request);
  const lease = { now: shop.now(), leaseSeconds: paid.leaseSeconds };
  const { outcome, result, receipt } = await claimPayment(shop.db, claim, lease);
  switch (outcome) {
    case 'claimed':
      return earn(shop, { ...paid, resumed: false }, () =>
        sale.work(input, { payer: paid.authorization.payer }),
      );
    case 'resumed':
      return finish(shop, { ...paid, resumed: true }, result ?? '');
    case 'settled':
      return keptAnswer(result, receipt);
    case 'busy':
      return inProgressAnswer();
    case 'other':
      return reusedAnswer();
  }
};

/** A payment that nobody has presented, or whose work was never finished: it is verified before anything else. */
const serveNew = async <Input>(
  shop: Shop,
  visit: Visit<Input>,
  authorization: Authorization | null,
): Promise<Response> => {
  const { place, header, payment, request, sale } = visit;
  const verdict = await shop.till.verify(place, header);
  if ('refused' in verdict) return refusalAnswer(verdict.refused);
  if (authorization === null) return refusalAnswer(await shop.till.challenge(place, 'invalid_payload'));
  const reading = await readInput(request, place.path, sale);
  if ('problem' in reading) return problemAnswer(reading.problem);
  return take(shop, visit, {
    ...reading.read,
    place,
    key: { ...keyOf(shop, authorization), owner: randomUUID() },
    authorization,
    payload: payment.payload,
    terms: verdict.terms,
    since: shop.now(),
    leaseSeconds: shop.leases.workSeconds,
  });
};

/**
 * The very header that a payment came with before: it is not verified again, for a facilitator refuses what it has
 * settled.
 */
const serveAgain = async <Input>(
  shop: Shop,
  visit: Visit<Input>,
  { known, authorization }: { readonly known: Payment; readonly authorization: Authorization },
): Promise<Response> => {
  const { place, payment, request, sale } = visit;
  const reading = await readInput(request, place.path, sale);
  if ('problem' in reading) return problemAnswer(reading.problem);
  if (known.route !== routeOf(sale.operation) || known.requestHash !== reading.read.requestHash) {
    return reusedAnswer();
  }
  if (known.state === 'settled') return keptAnswer(known.result, known.receipt);
  if (known.leaseUntil > shop.now()) return inProgressAnswer();
  return take(shop, visit, {
    ...reading.read,
    place,
    key: { ...keyOf(shop, authorization), owner: randomUUID() },
    authorization,
    payload: payment.payload,
    // What it named when it was verified, and the header is the same to the byte.
    terms: payment.payload.accepted,
    since: known.createdAt,
    leaseSeconds: shop.leases.settleSeconds,
  });
};

/** Whether the work of a payment is done, or somebody may be doing it, for this very header. */
const isServed = (known: Payment, { headerHash }: PresentedPayment, now: number): boolean =>
  known.headerHash === headerHash &&
  (known.state === 'settled' ||
    known.state === 'settling' ||
    (known.state === 'working' && known.leaseUntil > now));

/** Answers a request to a paid operation. @throws where the database fails before anything was settled */
export const serve = async <Input>(shop: Shop, request: Request, sale: Sale<Input>): Promise<Response> => {
  const place = placeOf(request, sale.operation);
  const header = request.headers.get('payment-signature');
  const presented = readPayment(header);
  if (presented.kind === 'none') return challengeAnswer(await shop.till.challenge(place));
  if (presented.kind === 'malformed') return malformedAnswer(presented.reason);
  const { payment } = presented;
  const { authorization } = payment;
  const visit = { place, request, header: header ?? '', payment, sale };
  const known = authorization && (await findPayment(shop.db, keyOf(shop, authorization)));
  if (authorization && known && isServed(known, payment, shop.now())) {
    return serveAgain(shop, visit, { known, authorization });
  }
  try {
    return await serveNew(shop, visit, authorization);
  } catch (error) {
    if (!(error instanceof FacilitatorTrouble)) throw error;
    shop.onTrouble(error.message, error);
    return unverifiedAnswer();
  }
};
