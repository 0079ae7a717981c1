import { isJsonObject, parseJson } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import type { ResultFacts } from '../outcome/outcome.ts';
import { type Challenge, decodeHeader, encodeHeader, readChallengeParts } from './challenge.ts';
import { type GateOptions, PaymentGate } from './payment-gate.ts';
import { hashBody } from './request-key.ts';

const PAYMENT = 'x402/payment';
const PAYMENT_RESPONSE = 'x402/payment-response';

/** The part of an MCP client that the guard uses. */
export interface McpClientLike {
  callTool: (params: never, ...rest: never[]) => Promise<unknown>;
}

/** Call of a tool. `_meta` carries the payment. */
interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Creates the function `wrapMcp` of a guard. */
export function createMcpWrapper(
  options: GateOptions,
): <T extends McpClientLike>(client: T, url: string) => T {
  return (client, url) => {
    const gate = new PaymentGate(options);
    // The guard passes the parameters of the client on, apart from the payment.
    const send = client.callTool.bind(client) as (call: ToolCall, ...rest: unknown[]) => Promise<unknown>;
    const callTool = async (call: ToolCall, ...rest: unknown[]): Promise<unknown> => {
      // The fragment separates the offers of the tools of one server.
      const request = { url: `${url}#${encodeURIComponent(call.name)}`, method: `MCP ${call.name}` };
      const payment = readMember(call._meta, PAYMENT);
      if (payment === undefined) {
        const result = await send(call, ...rest);
        const challenge = readChallenge(result);
        if (gate.isChecked(url)) await gate.checkOffers({ ...request, finalUrl: '', challenge });
        return result;
      }
      const bodySha256 = await hashBody(JSON.stringify(call.arguments ?? {}));
      const header = isJsonObject(payment) ? encodeHeader(payment) : '';
      const allowed = await gate.authorize({ ...request, bodySha256 }, header);
      if (allowed === null) return send(call, ...rest);
      const paid = { ...call, _meta: { ...call._meta, [PAYMENT]: decodeHeader(allowed.header) } };
      const result = await send(paid, ...rest).catch(async (error: unknown) => {
        await gate.record(allowed, null);
        throw error;
      });
      await gate.record(allowed, toResponse(result));
      return result;
    };
    return Object.assign(client, { callTool });
  };
}

/** Reads the challenge of a tool result: from the structured content, or from the JSON text of an error. */
function readChallenge(result: unknown): Challenge {
  if (readMember(result, 'isError') !== true) return { kind: 'none' };
  const structured = readMember(result, 'structuredContent');
  if (readMember(structured, 'x402Version') !== undefined) return readChallengeParts(null, structured);
  const content = readMember(result, 'content');
  const text = readText(Array.isArray(content) ? content[0] : null, 'text');
  return text === null ? { kind: 'none' } : readChallengeParts(null, parseJson(text));
}

/** Converts the result of a paid call to a response. */
function toResponse(result: unknown): ResultFacts {
  const receipt = readMember(readMember(result, '_meta'), PAYMENT_RESPONSE);
  const paymentResponse = isJsonObject(receipt) ? encodeHeader(receipt) : null;
  if (readMember(result, 'isError') !== true) return { status: null, delivered: true, paymentResponse };
  // Tools also answer wrong arguments with an error. With a new challenge or a settlement, the seller is the cause.
  const isSettled = readMember(receipt, 'success') === true;
  const isFailed = isSettled || readChallenge(result).kind !== 'none';
  return { status: null, delivered: isFailed ? false : null, paymentResponse };
}
