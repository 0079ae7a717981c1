import type { Server } from 'node:http';
import type { x402Facilitator } from '@x402/core/facilitator';
import { z } from 'zod';
import { createJsonServer, jsonError, jsonOf } from '../json-server.ts';
import type { JsonReply, JsonRequest } from '../json-server.ts';
import { parseJson } from '../json.ts';
import { parsePayment } from './parse-payment.ts';
import type { Payment } from './parse-payment.ts';

/** A payment repeats what the seller said of its resource, schemas of input and output included. */
const BODY_LIMIT = 262_144;

const requestSchema = z.object({ paymentPayload: z.unknown(), paymentRequirements: z.unknown() });

type Verb = (payment: Payment) => Promise<unknown>;

const answered = async (request: JsonRequest, verb: Verb): Promise<JsonReply> => {
  const body = requestSchema.safeParse(parseJson(request.body));
  const payment = body.success && parsePayment(body.data.paymentPayload, body.data.paymentRequirements);
  if (!payment) return jsonError(400, 'the body must be { paymentPayload, paymentRequirements } of x402');
  return jsonOf(200, await verb(payment));
};

/** A facilitator over HTTP: `GET /supported`, `POST /verify` and `POST /settle` (x402 v2 specification 7). */
export const createFacilitatorServer = (facilitator: x402Facilitator): Server =>
  createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'GET /supported':
        return jsonOf(200, facilitator.getSupported());
      case 'POST /verify':
        return answered(request, (payment) => facilitator.verify(payment.payload, payment.requirements));
      case 'POST /settle':
        return answered(request, (payment) => facilitator.settle(payment.payload, payment.requirements));
      default:
        return jsonError(404, 'not found');
    }
  }, BODY_LIMIT);
