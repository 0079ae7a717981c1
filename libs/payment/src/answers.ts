import { problemOf, type Problem } from '@touchstone/contract';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>>): Response =>
  new Response(JSON.stringify(body), { status, headers });

/** A problem by RFC 9457. @param retryAfter seconds */
export const problemAnswer = (problem: Problem, retryAfter?: number): Response =>
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

/** A payment that was refused: a new challenge that says why, and that nothing was charged. */
export const refusalAnswer = (challenge: PaymentRequired): Response =>
  json(
    402,
    { ...challenge, notCharged: true },
    {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': encodePaymentRequiredHeader(challenge),
    },
  );

/**
 * A settlement that was refused.
 * @param receipt PAYMENT-RESPONSE header that says so
 * @param first no earlier attempt was made, of which something may still be heard
 */
export const unpaidAnswer = (
  challenge: PaymentRequired,
  { receipt, first }: { readonly receipt: string; readonly first: boolean },
): Response => {
  const answer = first ? refusalAnswer(challenge) : challengeAnswer(challenge);
  answer.headers.set('payment-response', receipt);
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

export const reusedAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-reused',
      'This payment was presented with another request before, and buys that one only. Nothing was charged for this request: sign a new payment for it.',
      { notCharged: true },
    ),
  );

export const forgottenAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-reused',
      'This payment bought the result of this request already, and results are kept for 24 hours. Nothing was charged now: sign a new payment to ask again.',
      { notCharged: true },
    ),
  );

export const malformedAnswer = (reason: string): Response =>
  problemAnswer(
    problemOf(
      'invalid-payment',
      `The PAYMENT-SIGNATURE header cannot be read: ${reason}. Nothing was charged.`,
      {
        notCharged: true,
      },
    ),
  );

/** The facilitator could not be asked whether a payment is good. */
export const unverifiedAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'payment-unavailable',
      'The payment could not be verified, because the facilitator gave no usable answer. Nothing was charged: send the same request again in a while.',
      { notCharged: true },
    ),
    10,
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

export const internalAnswer = (): Response =>
  problemAnswer(
    problemOf(
      'internal',
      'Something failed on our side. Nothing was charged: send the same request again in a minute.',
      {
        notCharged: true,
      },
    ),
  );
