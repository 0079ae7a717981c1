import { randomUUID } from 'node:crypto';
import { claimPayment, findPayment, type PaymentKey } from '@touchstone/store';
import { cleanText } from '@touchstone/x402';
import type { PaymentRequirements } from '@x402/core/types';
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
import { earn, finish, release } from './earn.ts';
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

const keyOf = ({ till }: Shop, { payer, nonce }: Authorization): PaymentKey => ({
  network: till.network,
  asset: till.asset,
  payer,
  nonce,
});

/** Has a payment verified. @returns the terms that it pays, or the answer that says why it pays none */
const verify = async (
  { till, onTrouble }: Shop,
  place: Place,
  header: string,
): Promise<{ readonly terms: PaymentRequirements } | { readonly answer: Response }> => {
  try {
    const verdict = await till.verify(place, header);
    return 'terms' in verdict ? verdict : { answer: refusalAnswer(verdict.refused) };
  } catch (error) {
    if (!(error instanceof FacilitatorTrouble)) throw error;
    onTrouble(error.message, error);
    return { answer: unverifiedAnswer() };
  }
};

const keptAnswer = (result: string | null, receipt: string | null): Response =>
  result === null ? forgottenAnswer() : deliveredAnswer(result, receipt ?? '');

/** Goes on with a payment that this request holds once it is verified, and lets go of it where it is not. */
const whenVerified = async (
  shop: Shop,
  { place, header }: Pick<Visit<unknown>, 'place' | 'header'>,
  { paid, next }: { readonly paid: PaidRequest; readonly next: (paid: PaidRequest) => Promise<Response> },
): Promise<Response> => {
  let verdict: Awaited<ReturnType<typeof verify>>;
  try {
    verdict = await verify(shop, place, header);
  } catch (error) {
    await release(shop, paid);
    throw error;
  }
  if ('terms' in verdict) return next({ ...paid, terms: verdict.terms });
  await release(shop, paid);
  return verdict.answer;
};

/**
 * Takes the payment for a request that was read, and serves it as far as nobody else has. What is presented with the
 * very header that was verified before is not verified again, for a facilitator refuses what it has settled.
 */
const serveRead = async <Input>(
  shop: Shop,
  visit: Visit<Input> & { readonly authorization: Authorization },
  { input, requestHash }: ReadInput<Input>,
): Promise<Response> => {
  const { place, payment, sale, authorization } = visit;
  const { payload, headerHash } = payment;
  const key = { ...keyOf(shop, authorization), owner: randomUUID() };
  const resource = cleanText(sale.resourceOf(input), RESOURCE_LENGTH) ?? '';
  const route = `${sale.operation.method} ${sale.operation.path}`;
  const claim = claimOf(key, authorization, { route, requestHash, headerHash, resource });
  const lease = { now: shop.now(), leaseSeconds: shop.leases.workSeconds };
  const { outcome, result, receipt, ...first } = await claimPayment(shop.db, claim, lease);
  const known = first.headerHash === headerHash;
  const paid = { key, place, authorization, payload, terms: payload.accepted, since: first.createdAt };
  switch (outcome) {
    case 'busy':
      return inProgressAnswer();
    case 'other':
      return reusedAnswer();
    case 'claimed': {
      const work = () => sale.work(input, { payer: authorization.payer });
      const next = (verified: PaidRequest) => earn(shop, verified, work);
      return whenVerified(shop, visit, { paid: { ...paid, resumed: false }, next });
    }
    case 'resumed': {
      const next = (verified: PaidRequest) => finish(shop, verified, result ?? '');
      const resumed = { ...paid, resumed: true };
      return known ? next(resumed) : whenVerified(shop, visit, { paid: resumed, next });
    }
    case 'settled': {
      const verdict = known ? null : await verify(shop, place, visit.header);
      return verdict !== null && 'answer' in verdict ? verdict.answer : keptAnswer(result, receipt);
    }
  }
};

const servePaid = async <Input>(shop: Shop, visit: Visit<Input>): Promise<Response> => {
  const { place, payment, header, request, sale } = visit;
  const { authorization, payload } = payment;
  const verifiedFirst = async (answer: () => Response): Promise<Response> => {
    const verdict = await verify(shop, place, header);
    return 'answer' in verdict ? verdict.answer : answer();
  };
  // Only what was good once is looked for; nothing is written down for what cannot be.
  const hopeless = shop.till.refusal(sale.operation, payload) !== null;
  if (authorization === null || (hopeless && !(await findPayment(shop.db, keyOf(shop, authorization))))) {
    return verifiedFirst(inProgressAnswer);
  }
  const reading = await readInput(request, place.path, sale);
  if ('problem' in reading) return verifiedFirst(() => problemAnswer(reading.problem));
  return serveRead(shop, { ...visit, authorization }, reading.read);
};

/** Answers a request to a paid operation. @throws where the database fails before anything was settled */
export const serve = async <Input>(shop: Shop, request: Request, sale: Sale<Input>): Promise<Response> => {
  const place = placeOf(request, sale.operation);
  const header = request.headers.get('payment-signature');
  const presented = readPayment(header);
  switch (presented.kind) {
    case 'none':
      return challengeAnswer(await shop.till.challenge(place));
    case 'malformed':
      return malformedAnswer(presented.reason);
    case 'payment':
      return servePaid(shop, { place, request, header: header ?? '', payment: presented.payment, sale });
  }
};
