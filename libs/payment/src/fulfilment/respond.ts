import {
  createProblem,
  RECEIPT_HEADERS,
  summarizeMistakes,
  markNotCharged,
  type Mistake,
  type Problem,
  type ProblemCode,
} from '@touchstone/contract';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { Challenge } from '../gateway/challenges.ts';
import { describeRefusal } from '../gateway/refusal-reasons.ts';
import { findPaymentHeader } from '../request/payment-header.ts';
import { PAYMENT_STATES, UNCLAIMED_EVENTS, type KnownState, type ResponseKind } from './payment-states.ts';

/** Values from which a response of each kind is built. */
export interface ResponseDetails extends Record<ResponseKind, object> {
  readonly challenge: { readonly challenge: Challenge };
  /** `header` is the name of the header with the payment. */
  readonly malformed: { readonly mistakes: readonly Mistake[]; readonly header: string };
  /** `receipt` is the PAYMENT-RESPONSE header of a refused settlement. */
  readonly refused: { readonly challenge: Challenge; readonly receipt?: string };
  /** `retryAfterSeconds` is the value of the `Retry-After` header; absent for a response without this header. */
  readonly problem: { readonly problem: Omit<Problem, 'notCharged'>; readonly retryAfterSeconds?: number };
  /** `seconds` is the time until the payer can try again. */
  readonly 'rate-limited': { readonly seconds: number };
  /**
   * `seconds` is the time during which the client could get the result again. `isSecret` is true if only the client that
   * bought the result could get it.
   */
  readonly 'result-withheld': { readonly seconds: number; readonly isSecret: boolean };
  /** `result` is the stored JSON body; `receipt` is the PAYMENT-RESPONSE header. */
  readonly result: { readonly result: string; readonly receipt: string };
}

/** End of a request: the state of its payment, and the kind of its response if the seller responds. */
export interface Outcome {
  readonly state: KnownState;
  readonly response?: ResponseKind;
  /** True if neither the signature nor the facilitator proved the payer. The use of the nonce was not searched then. */
  readonly isUnproven?: boolean;
  /** Transaction in which the nonce of the payment moved another amount to the wallet of the seller. */
  readonly otherTransfer?: string | undefined;
}

/**
 * Returns true if the response may say that nothing was charged. No other code decides about this sentence, because a
 * payer who reads the sentence may sign a second payment. The response `in-progress` never has the sentence, because
 * another request may then settle the payment.
 */
function isNotCharged({ state, response }: Outcome): boolean {
  return response !== 'in-progress' && state !== 'unknown' && PAYMENT_STATES[state].isNotCharged;
}

function addNotCharged<Body extends { readonly detail: string }>(
  body: Body,
  outcome: Outcome,
): Body | (Body & { readonly notCharged: true }) {
  return isNotCharged(outcome) ? markNotCharged(body) : body;
}

/**
 * Returns the state of the payment of a request that was not read. An earlier request with the same payment may have
 * settled the payment.
 */
export function toUnreadState(headers: Headers): KnownState {
  return findPaymentHeader(headers) === null ? 'absent' : 'unknown';
}

/** Adds `notCharged` to an error if its request has no payment, without reading the payment. */
export function addUnreadState(problem: Problem, headers: Headers): Problem {
  return addNotCharged(problem, { state: toUnreadState(headers) });
}

/** Returns the sentence of a refusal about a payment that may be charged; an empty text for other payments. */
function describeCharge({ state, isUnproven, otherTransfer }: Outcome): string {
  if (isUnproven === true) {
    return ' It is not known whether a payment with this nonce was charged, because the signature does not prove the payer. If you sent this payment before, send it again exactly as you sent it then.';
  }
  if (otherTransfer !== undefined) {
    return ` The nonce of the authorization moved another amount to our wallet in transaction ${otherTransfer}. Ask the operator to return this amount, and sign a new payment.`;
  }
  return state === 'unknown'
    ? ' It is not known whether this payment was charged. Send the same request with the same payment again.'
    : '';
}

const createJsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });

const createProblemResponse = (
  problem: Omit<Problem, 'notCharged'>,
  outcome: Outcome,
  retryAfterSeconds?: number,
): Response =>
  createJsonResponse(problem.status, addNotCharged(problem, outcome), {
    'content-type': 'application/problem+json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });

/**
 * Returns a function that builds problem responses with a fixed text.
 * @param retryAfterSeconds value of the `Retry-After` header
 */
const buildProblem =
  (code: ProblemCode, detail: string, retryAfterSeconds?: number) =>
  (_: object, outcome: Outcome): Response =>
    createProblemResponse(createProblem(code, detail), outcome, retryAfterSeconds);

/**
 * Creates a response with status 402. Clients of version 2 read the challenge from the header, clients of version 1 from
 * the body. On a network that clients of version 1 do not know, the body has the challenge of version 2 for people.
 *
 * @param members members that a refused payment adds to the body
 */
const createPaymentRequiredResponse = ({ v1, v2 }: Challenge, members: object, receipt?: string): Response =>
  createJsonResponse(
    402,
    { ...(v1 ?? v2), ...members },
    {
      'payment-required': encodePaymentRequiredHeader(v2),
      ...(receipt === undefined ? {} : { [RECEIPT_HEADERS.v2]: receipt }),
    },
  );

const BUILDERS: {
  readonly [Kind in ResponseKind]: (details: ResponseDetails[Kind], outcome: Outcome) => Response;
} = {
  challenge: ({ challenge }) => createPaymentRequiredResponse(challenge, {}),
  malformed: ({ mistakes, header }, outcome) =>
    createProblemResponse(
      createProblem(
        'invalid-payment',
        `The ${header} header is not valid. ${summarizeMistakes(mistakes)} Send the request without the header to get a new challenge, and sign that.`,
        { errors: [...mistakes] },
      ),
      outcome,
    ),
  refused: ({ challenge, receipt }, outcome) => {
    const detail = describeRefusal(challenge.v2.error) + describeCharge(outcome);
    const members = addNotCharged({ detail }, outcome);
    return createPaymentRequiredResponse(challenge, members, receipt);
  },
  problem: ({ problem, retryAfterSeconds }, outcome) =>
    createProblemResponse(problem, outcome, retryAfterSeconds),
  'in-progress': buildProblem(
    'payment-in-progress',
    'Another request with this payment is being processed. Send the same request again in 2 seconds to get its result. The payment is charged once.',
    2,
  ),
  reused: buildProblem(
    'payment-reused',
    'This payment was already used for a different request. To get the result of that request, send it again with the same payment. For this request, sign a new payment.',
  ),
  'result-deleted': buildProblem(
    'payment-reused',
    'This payment already bought the result of this request. Results are stored for 24 hours. Sign a new payment to buy a new result.',
  ),
  'result-withheld': ({ seconds, isSecret }, outcome) =>
    buildProblem(
      'payment-reused',
      `This payment already bought the result of this request. The payment has no purchase secret: x402 version 1 has none, and a version 2 client repeats the extension touchstone-purchase of the challenge. Without this secret, the result is repeated for ${String(seconds)} seconds${isSecret ? ', and only to the client address that bought it' : ''}. Sign a new payment to buy a new result.`,
    )({}, outcome),
  'rate-limited': ({ seconds }, outcome) =>
    buildProblem(
      'rate-limited',
      `The latest payments of this payer were refused at settlement, after the work was done. Send the request again in ${String(seconds)} seconds.`,
      seconds,
    )({}, outcome),
  overloaded: buildProblem(
    'payment-unavailable',
    'Too many payments are waiting. Send the same request again in 10 seconds.',
    10,
  ),
  unverified: buildProblem(
    'payment-unavailable',
    'The payment could not be verified, because the facilitator or the payment network gave no usable response. Send the same request again in 10 seconds.',
    10,
  ),
  'balance-unreadable': buildProblem(
    'payment-unavailable',
    'This payer has other unsettled payments, and its balance could not be read from the chain. Send the same request again in 10 seconds.',
    10,
  ),
  unsettled: buildProblem(
    'payment-unavailable',
    'It is not known yet whether the payment was settled. Send the same request with the same payment again in 5 seconds. It is charged at most once, and its result is stored.',
    5,
  ),
  internal: buildProblem(
    'internal',
    'The service failed to process this request. Send the same request with the same payment again in a minute.',
  ),
  result: ({ result, receipt }) =>
    new Response(result, {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'private, no-store',
        [RECEIPT_HEADERS.v2]: receipt,
      },
    }),
};

/**
 * Builds a response of a paid operation.
 * @param outcome state of the payment after this request; the state decides if the response has `notCharged`
 */
export function respond<Kind extends ResponseKind>(
  kind: Kind,
  details: ResponseDetails[Kind],
  outcome: KnownState | Outcome = 'unknown',
): Response {
  return BUILDERS[kind](details, {
    ...(typeof outcome === 'string' ? { state: outcome } : outcome),
    response: kind,
  });
}

/**
 * Builds the response to an event of a request that does not hold its payment.
 * @param stored state of the payment as it was read; used if the event itself does not show the state
 */
export function respondUnclaimed<Event extends keyof typeof UNCLAIMED_EVENTS>(
  event: Event,
  details: ResponseDetails[(typeof UNCLAIMED_EVENTS)[Event]['response']],
  stored: KnownState | Outcome = 'unknown',
): Response {
  const { response, state } = UNCLAIMED_EVENTS[event];
  return respond<(typeof UNCLAIMED_EVENTS)[Event]['response']>(
    response,
    details,
    state === 'stored' ? stored : state,
  );
}
