import type { Server } from 'node:http';
import { parseJson } from '@touchstone/common';
import type { x402Facilitator } from '@x402/core/facilitator';
import { z } from 'zod';
import type { SandboxChain } from '../chain/open-chain.ts';
import {
  createJsonServer,
  respondError,
  respondJson,
  type JsonRequest,
  type JsonServerResponse,
} from '../http/json-server.ts';
import { parsePayment, type Payment } from './facilitator.ts';

/**
 * Maximum length of a request body, in bytes. The limit is high because a payment repeats the resource description of
 * the challenge, which can contain long schemas.
 */
const MAX_BODY_BYTES = 262_144;

const requestSchema = z.object({ paymentPayload: z.unknown(), paymentRequirements: z.unknown() });

type Operation = (payment: Payment) => Promise<unknown>;

/** Result of `verify` or `settle`. `verify` sets the member `isValid`, and `settle` sets the member `success`. */
const resultSchema = z.object({ isValid: z.boolean().optional(), success: z.boolean().optional() });

type Chains = readonly Pick<SandboxChain, 'network' | 'rpc'>[];

function isResponding({ rpc }: Chains[number]): Promise<boolean> {
  return rpc.call('eth_chainId').then(
    () => true,
    () => false,
  );
}

/**
 * Returns true when an operation failed because the chain of the payment's network does not respond. The x402 library
 * then wrongly reports an invalid signature or a failed transaction.
 */
async function isChainDown(result: unknown, { requirements }: Payment, chains: Chains): Promise<boolean> {
  const { isValid, success } = resultSchema.parse(result);
  if (isValid === true || success === true) return false;
  const { network } = requirements;
  const chain = chains.find(({ network: { id, v1Name } }) => id === network || v1Name === network);
  return chain !== undefined && !(await isResponding(chain));
}

/**
 * Returns the error code of a payment whose scheme or network the facilitator does not support (x402 v2 specification 9);
 * null for a supported payment. The x402 library throws for an unsupported payment.
 */
function findUnsupported(facilitator: x402Facilitator, { payload, requirements }: Payment): string | null {
  const { kinds } = facilitator.getSupported();
  const { scheme, network } = requirements;
  const onNetwork = kinds.filter(
    (kind) => kind.x402Version === payload.x402Version && kind.network === network,
  );
  if (onNetwork.length === 0) return 'invalid_network';
  return onNetwork.some((kind) => kind.scheme === scheme) ? null : 'unsupported_scheme';
}

async function respondTo(
  request: JsonRequest,
  chains: Chains,
  operation: Operation,
): Promise<JsonServerResponse> {
  const body = requestSchema.safeParse(parseJson(request.body));
  const payment = body.success && parsePayment(body.data.paymentPayload, body.data.paymentRequirements);
  if (!payment)
    return respondError(400, 'the body must be an x402 object with paymentPayload and paymentRequirements');
  const result = await operation(payment);
  if (await isChainDown(result, payment, chains))
    return respondError(503, `the chain of ${payment.requirements.network} does not respond`);
  return respondJson(200, result);
}

/** Creates the HTTP server of a facilitator: `GET /supported`, `POST /verify` and `POST /settle` (x402 v2 specification 7). */
export function createFacilitatorServer(facilitator: x402Facilitator, chains: Chains): Server {
  return createJsonServer((request) => {
    switch (`${request.method} ${request.path}`) {
      case 'GET /supported':
        return respondJson(200, facilitator.getSupported());
      case 'POST /verify':
        return respondTo(request, chains, async (payment) => {
          const invalidReason = findUnsupported(facilitator, payment);
          if (invalidReason !== null) return { isValid: false, invalidReason };
          return facilitator.verify(payment.payload, payment.requirements);
        });
      case 'POST /settle':
        return respondTo(request, chains, async (payment) => {
          const errorReason = findUnsupported(facilitator, payment);
          const { network } = payment.requirements;
          if (errorReason !== null) return { success: false, errorReason, transaction: '', network };
          return facilitator.settle(payment.payload, payment.requirements);
        });
      default:
        return respondError(404, 'not found');
    }
  }, MAX_BODY_BYTES);
}
