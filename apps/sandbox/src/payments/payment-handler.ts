import { isDeepStrictEqual } from 'node:util';
import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '@touchstone/common';
import type { x402Facilitator } from '@x402/core/facilitator';
import { encodePaymentResponseHeader } from '@x402/core/http';
import type { SettleResponse } from '@x402/core/types';
import type { Address } from 'viem';
import { z } from 'zod';
import { createAcceptsV1, createAcceptsV2, type ChallengeContext } from '../challenges/challenge.ts';
import {
  createJsonResponse,
  createServerErrorResponse,
  createTextResponse,
  type HttpResponse,
} from '../http/responses.ts';
import type { BehaviourKind, EndpointDefinition } from '../scenario/scenario-schema.ts';
import { parsePayment, type Payment } from './facilitator.ts';

/** Request with a payment header, to an endpoint that requires payment. */
interface PaidRequest {
  readonly headers: IncomingHttpHeaders;
  readonly context: ChallengeContext;
  /** 402 response to the same request without a payment. */
  readonly challenge: HttpResponse;
}

/** Response to a request with a payment. */
interface PaidResponse {
  readonly response: HttpResponse;
  /** Delay of the response after the settlement, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Function that handles a request with a payment. If the payment was settled, returns the response that the `fulfilment`
 * of the endpoint defines. If not, returns an error or the challenge.
 */
export type PaymentHandler = (request: PaidRequest) => Promise<PaidResponse>;

/**
 * Behaviours with an invalid challenge, or with a scheme that the facilitator does not settle. Payments to such endpoints
 * are ignored.
 */
const UNPAYABLE: ReadonlySet<BehaviourKind> = new Set(['malformed', 'missing-field', 'upto']);
const v1Schema = z.object({ scheme: z.string(), network: z.string() });
const v2Schema = z.object({ accepted: z.unknown() });

function decodeHeader(header: string): unknown {
  return parseJson(Buffer.from(header, 'base64').toString('utf8'));
}

/** Parses a v2 payment. Its `accepted` member must be equal to one of the current offers. */
function parseV2(payload: unknown, context: ChallengeContext): Payment | null {
  const parsed = v2Schema.safeParse(payload);
  const offer = createAcceptsV2(context).find(
    (each) => parsed.success && isDeepStrictEqual(parsed.data.accepted, each),
  );
  return offer ? parsePayment(payload, offer) : null;
}

/**
 * Parses a v1 payment. A v1 payment names only the scheme and the network of its offer, so these two members select the
 * offer.
 */
function parseV1(payload: unknown, context: ChallengeContext): Payment | null {
  const parsed = v1Schema.safeParse(payload);
  const offer = createAcceptsV1(context).find(
    ({ scheme, network }) =>
      parsed.success && parsed.data.scheme === scheme && parsed.data.network === network,
  );
  return offer ? parsePayment(payload, offer) : null;
}

interface PresentedPayment {
  /** Parsed payment; null when the payment is invalid or matches no current offer of the endpoint. */
  readonly payment: Payment | null;
  readonly receiptHeader: 'PAYMENT-RESPONSE' | 'X-PAYMENT-RESPONSE';
}

/**
 * Reads the payment header of an x402 version that the endpoint supports. Returns null when the request has no such
 * header.
 */
function readPayment({ headers, context }: PaidRequest): PresentedPayment | null {
  const { protocol } = context.endpoint;
  const v2 = headers['payment-signature'];
  if (typeof v2 === 'string' && protocol !== 'v1')
    return { payment: parseV2(decodeHeader(v2), context), receiptHeader: 'PAYMENT-RESPONSE' };
  const v1 = headers['x-payment'];
  if (typeof v1 === 'string' && protocol !== 'v2')
    return { payment: parseV1(decodeHeader(v1), context), receiptHeader: 'X-PAYMENT-RESPONSE' };
  return null;
}

async function settle(facilitator: x402Facilitator, payment: Payment): Promise<SettleResponse> {
  const { payload, requirements } = payment;
  const { isValid, invalidReason } = await facilitator.verify(payload, requirements);
  if (isValid) return facilitator.settle(payload, requirements);
  const { network } = requirements;
  return { success: false, errorReason: invalidReason ?? 'invalid_payload', transaction: '', network };
}

const LATE_DELAY_MS = 30_000;

/** Creates the response of an endpoint to a settled payment. */
function createFulfilledResponse(
  { fulfilment, output }: EndpointDefinition,
  challenge: HttpResponse,
  isTester: boolean,
): HttpResponse {
  if (fulfilment === 'pay-again') return challenge;
  if (fulfilment === 'server-error' || (fulfilment === 'testers-only' && !isTester))
    return createServerErrorResponse(502);
  if (fulfilment === 'empty-body') return createTextResponse(200, { type: 'application/json', text: '' });
  const wrong = Object.fromEntries(Object.keys(output).map((name) => [name, null]));
  return createJsonResponse(200, fulfilment === 'other-schema' ? wrong : output);
}

function withReceipt(
  { status, headers, body }: HttpResponse,
  receiptHeader: PresentedPayment['receiptHeader'],
  receipt: SettleResponse,
): HttpResponse {
  return { status, headers: [...headers, receiptHeader, encodePaymentResponseHeader(receipt)], body };
}

/**
 * Creates the payment handler of the endpoints. The handler verifies and settles a payment before it returns the data
 * of the endpoint (x402 v2 specification, HTTP transport). After a failed payment, the handler returns the challenge.
 * The header `PAYMENT-RESPONSE` (v2) or `X-PAYMENT-RESPONSE` (v1) then contains the reason.
 * @param testers addresses of the payers that endpoints with the fulfilment `testers-only` recognize
 */
export function createPaymentHandler(
  facilitator: x402Facilitator,
  testers: readonly Address[],
): PaymentHandler {
  const testerAddresses = new Set<string>(testers.map((address) => address.toLowerCase()));
  const respond = async (request: PaidRequest): Promise<HttpResponse> => {
    const { context, challenge } = request;
    const { endpoint } = context;
    const presented = UNPAYABLE.has(context.state.behaviour.kind) ? null : readPayment(request);
    if (!presented) return challenge;
    const { payment, receiptHeader } = presented;
    if (!payment) return createJsonResponse(400, { error: 'The payment does not match any current offer' });
    if (endpoint.fulfilment === 'refused')
      return createJsonResponse(400, { error: 'This payment method is not accepted at the moment' });
    if (endpoint.fulfilment === 'unsettled') return createJsonResponse(200, endpoint.output);
    const receipt = await settle(facilitator, payment);
    if (!receipt.success) return withReceipt(challenge, receiptHeader, receipt);
    const isTester = testerAddresses.has(receipt.payer?.toLowerCase() ?? '');
    const response = createFulfilledResponse(endpoint, challenge, isTester);
    const isRepeated = endpoint.fulfilment === 'settled-twice';
    return withReceipt(response, receiptHeader, isRepeated ? await settle(facilitator, payment) : receipt);
  };
  return async (request) => ({
    response: await respond(request),
    delayMs: request.context.endpoint.fulfilment === 'late' ? LATE_DELAY_MS : 0,
  });
}
