import type { Server } from 'node:http';
import type { x402Facilitator } from '@x402/core/facilitator';
import { z } from 'zod';
import { createJsonServer, respondError, respondJson } from '../http/json-server.ts';
import type { JsonRequest, JsonServerResponse } from '../http/json-server.ts';
import { parseJson } from '../parsing/json.ts';
import { parsePayment } from './parse-payment.ts';
import type { Payment } from './parse-payment.ts';

/**
 * Maximum length of a request body, in bytes. The limit is high because a payment repeats the resource description of
 * the challenge, which can contain long schemas.
 */
const MAX_BODY_BYTES = 262_144;

const requestSchema = z.object({ paymentPayload: z.unknown(), paymentRequirements: z.unknown() });

type Operation = (payment: Payment) => Promise<unknown>;

const respondTo = async (request: JsonRequest, operation: Operation): Promise<JsonServerResponse> => {
  const body = requestSchema.safeParse(parseJson(request.body));
  const payment = body.success && parsePayment(body.data.paymentPayload, body.data.paymentRequirements);
  if (!payment)
    return respondError(400, 'the body must be an x402 object with paymentPayload and paymentRequirements');
  return respondJson(200, await operation(payment));
};

/** Creates the HTTP server of a facilitator: `GET /supported`, `POST /verify` and `POST /settle` (x402 v2 specification 7). */
export const createFacilitatorServer = (facilitator: x402Facilitator): Server =>
  createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'GET /supported':
        return respondJson(200, facilitator.getSupported());
      case 'POST /verify':
        return respondTo(request, (payment) => facilitator.verify(payment.payload, payment.requirements));
      case 'POST /settle':
        return respondTo(request, (payment) => facilitator.settle(payment.payload, payment.requirements));
      default:
        return respondError(404, 'not found');
    }
  }, MAX_BODY_BYTES);
