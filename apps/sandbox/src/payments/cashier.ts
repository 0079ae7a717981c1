import { isDeepStrictEqual } from 'node:util';
import type { IncomingHttpHeaders } from 'node:http';
import type { x402Facilitator } from '@x402/core/facilitator';
import { encodePaymentResponseHeader } from '@x402/core/http';
import type { SettleResponse } from '@x402/core/types';
import { z } from 'zod';
import { acceptsV1, acceptsV2 } from '../challenge.ts';
import type { ChallengeContext } from '../challenge.ts';
import { jsonReply } from '../http-reply.ts';
import type { HttpReply } from '../http-reply.ts';
import { parseJson } from '../json.ts';
import type { BehaviourKind } from '../scenario-schema.ts';
import { parsePayment } from './parse-payment.ts';
import type { Payment } from './parse-payment.ts';

/** A request to an endpoint that asks to be paid. */
interface Sale {
  readonly headers: IncomingHttpHeaders;
  readonly terms: ChallengeContext;
  /** What somebody who does not pay is answered. */
  readonly challenge: HttpReply;
}

/** Answers a request to an endpoint that asks to be paid: with its data, once it was. */
export type Cashier = (sale: Sale) => Promise<HttpReply>;

/** Their terms cannot be read, so whatever comes was not paid by them. */
const UNPAYABLE: ReadonlySet<BehaviourKind> = new Set(['malformed', 'missing-field']);
const v1Schema = z.object({ scheme: z.string(), network: z.string() });
const v2Schema = z.object({ accepted: z.unknown() });

const decoded = (header: string): unknown => parseJson(Buffer.from(header, 'base64').toString('utf8'));

/** The terms that a version 2 payment names must be the ones that are asked for now, word for word. */
const paymentV2 = (payload: unknown, terms: ChallengeContext): Payment | null => {
  const named = v2Schema.safeParse(payload);
  const asked = acceptsV2(terms).find(
    (each) => named.success && isDeepStrictEqual(named.data.accepted, each),
  );
  return asked ? parsePayment(payload, asked) : null;
};

/** A version 1 payment names scheme and network only. */
const paymentV1 = (payload: unknown, terms: ChallengeContext): Payment | null => {
  const named = v1Schema.safeParse(payload);
  const asked = acceptsV1(terms).find(
    ({ scheme, network }) => named.success && named.data.scheme === scheme && named.data.network === network,
  );
  return asked ? parsePayment(payload, asked) : null;
};

interface Presented {
  readonly payment: Payment | null;
  readonly receiptHeader: 'PAYMENT-RESPONSE' | 'X-PAYMENT-RESPONSE';
}

/** The payment of a request in a version that the endpoint speaks, or null when there is none. */
const presented = ({ headers, terms }: Sale): Presented | null => {
  const { protocol } = terms.endpoint;
  const v2 = headers['payment-signature'];
  if (typeof v2 === 'string' && protocol !== 'v1')
    return { payment: paymentV2(decoded(v2), terms), receiptHeader: 'PAYMENT-RESPONSE' };
  const v1 = headers['x-payment'];
  if (typeof v1 === 'string' && protocol !== 'v2')
    return { payment: paymentV1(decoded(v1), terms), receiptHeader: 'X-PAYMENT-RESPONSE' };
  return null;
};

const settle = async (facilitator: x402Facilitator, payment: Payment): Promise<SettleResponse> => {
  const { payload, requirements } = payment;
  const { isValid, invalidReason } = await facilitator.verify(payload, requirements);
  if (isValid) return facilitator.settle(payload, requirements);
  const { network } = requirements;
  return { success: false, errorReason: invalidReason ?? 'invalid_payload', transaction: '', network };
};

/** The same answer with one header more. */
const withHeader = (reply: HttpReply, name: string, value: string): HttpReply => ({
  ...reply,
  headers: [...reply.headers, name, value],
});

/**
 * What the endpoints do with payments: verify, settle, and only then hand out the data (x402 v2 specification, HTTP
 * transport). A payment that is no good is answered with the challenge, and with the reason where the receipt would be.
 */
export const createCashier =
  (facilitator: x402Facilitator): Cashier =>
  async (sale) => {
    const { terms, challenge } = sale;
    const found = UNPAYABLE.has(terms.state.behaviour.kind) ? null : presented(sale);
    if (!found) return challenge;
    if (!found.payment) return jsonReply(400, { error: 'The payment does not match what is asked for' });
    const receipt = await settle(facilitator, found.payment);
    const reply = receipt.success ? jsonReply(200, terms.endpoint.output) : challenge;
    return withHeader(reply, found.receiptHeader, encodePaymentResponseHeader(receipt));
  };
