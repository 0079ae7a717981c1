import { problemOf, type Problem } from '@touchstone/contract';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>>): Response =>
  new Response(JSON.stringify(body), { status, headers });

const UNCHARGED = ' Nothing was charged.';

/** A problem by RFC 9457. @param retryAfter seconds */
const problemAnswer = (problem: Problem, retryAfter?: number): Response =>
  json(problem.status, problem, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });

/** A challenge, in the header where clients read it and in the body where people do. */
export const challengeAnswer = (challenge: PaymentRequired): Response =>
  json(402, challenge, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': encodePaymentRequiredHeader(challenge),
  });

/**
 * A problem of a paid route. @param clear whether it is certain that nobody has settled the payment, or is about to
 */
export const saleProblem = (problem: Problem, clear: boolean): Response => {
  const { notCharged, detail, ...rest } = problem;
  const plain = { ...rest, detail: detail.replace(UNCHARGED, '') };
  if (!clear) return problemAnswer(plain);
  // Work says it of its own problems too.
  const said = notCharged === true ? detail : `${plain.detail}${UNCHARGED}`;
  return problemAnswer({ ...rest, detail: said, notCharged: true });
};

const retryLater = (detail: string, clear: boolean): Response => {
  const answer = saleProblem(problemOf('payment-unavailable', detail), clear);
  answer.headers.set('retry-after', '10');
  return answer;
};

/**
 * A payment that was refused: a new challenge that says why, and, where that is certain, that nothing was charged.
 * @param clear whether it is certain that nobody has settled the payment, or is about to
 * @param receipt PAYMENT-RESPONSE header of a settlement that was refused
 */
export const refusalAnswer = (challenge: PaymentRequired, clear: boolean, receipt?: string): Response => {
  const answer = json(
    402,
    { ...challenge, ...(clear ? { notCharged: true } : {}) },
    {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': encodePaymentRequiredHeader(challenge),
    },
  );
  if (receipt !== undefined) answer.headers.set('payment-response', receipt);
  return answer;
};

/** What was bought. @param body JSON, as it was kept */
export const deliveredAnswer = (body: string, receipt: string): Response =>
  new Response(body, {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private, no-store',
      'payment-response': receipt,
    },
  });

/** Somebody else serves the payment; whether it is settled is not known here, so nothing is said of that. */
export const inProgressAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-in-progress',
      'The same payment is being served right now. Send the same request again in two seconds for its result; it is charged once.',
    ),
    2,
  );

/** The payment was, or may be, charged for what it was first presented with: nothing is said of that here. */
export const reusedAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-reused',
      'This payment was presented otherwise before, and buys what it was first presented with alone. For that, send the same request with the same payment again; for anything else, sign a new one.',
    ),
  );

export const forgottenAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-reused',
      'This payment bought the result of this request already, and results are kept for 24 hours. Sign a new payment to ask again.',
    ),
  );

/** Without the secret of the challenge, whoever reads the chain can present the payment as its buyer does. */
export const withheldAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-reused',
      'This payment bought the result of this request already. It does not repeat the touchstone-purchase extension of its challenge, and such results are given again for ten minutes only. Sign a new payment to ask again.',
    ),
  );

export const malformedAnswer = (reason: string): Response =>
  saleProblem(problemOf('invalid-payment', `The PAYMENT-SIGNATURE header cannot be read: ${reason}.`), true);

/** @param seconds until the payer may come again */
export const limitedAnswer = (seconds: number): Response =>
  problemAnswer(
    problemOf(
      'rate-limited',
      'Several payments of this payer were refused when they were settled, after the work was done, and none was settled since. Nothing was charged for this request.',
      { notCharged: true },
    ),
    seconds,
  );

/** The facilitator could not be asked whether a payment is good. @param clear see saleProblem */
export const unverifiedAnswer = (clear: boolean): Response =>
  retryLater(
    'The payment could not be verified, because the facilitator gave no usable answer. Send the same request again in a while.',
    clear,
  );

/** The chain could not be asked what a payer has. @param clear see saleProblem */
export const unweighedAnswer = (clear: boolean): Response =>
  retryLater(
    'Other payments of this payer are not settled yet, and what it has beside them could not be read. Send the same request again in a while.',
    clear,
  );

/** Money may have moved: the same payment must be sent again, and no other. */
export const unsettledAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-unavailable',
      'Whether the payment was settled is not known yet. Send the same request with the same payment again: it is charged once at most, and the result is kept for you.',
    ),
    5,
  );

/** @param clear see saleProblem */
export const internalAnswer = (clear: boolean): Response =>
  saleProblem(
    problemOf(
      'internal',
      'Something failed on our side. Send the same request, with the same payment, again in a minute.',
    ),
    clear,
  );
