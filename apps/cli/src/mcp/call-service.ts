import type { ToolCall } from '@touchstone/mcp';
import { sendHttpRequest, type ServiceResponse } from '../buy/service/send-request.ts';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { buyCall } from './buy-call.ts';
import { toCallError } from './call-errors.ts';
import type { McpSettings } from './mcp-settings.ts';
import { createQueue } from './queue.ts';
import { createSpending } from './spending.ts';
import { toResponse } from './to-response.ts';

/** Connection of the MCP server to the service. */
export interface ServiceConnection {
  /** Sends the request of a tool call, and pays it. @throws CallError with a message for the agent */
  readonly send: (call: ToolCall) => Promise<Response>;
  /** Reads a text document of the service. */
  readonly readText: (path: string) => Promise<string>;
  /** Resolves when no purchase is in progress. */
  readonly waitUntilIdle: () => Promise<void>;
}

/**
 * Connects tool calls to the service. Purchases run one after another, so that each one is checked against the limits
 * that the earlier ones left.
 */
export function connectService(settings: McpSettings, tools: CommandTools): ServiceConnection {
  const spending = createSpending(settings.limits);
  const queue = createQueue();
  const sendOrBuy = (call: ToolCall): Promise<Response> =>
    isPaidByServer(call, settings)
      ? queue.run(() => buyCall(call, { settings, spending, tools }))
      : sendUnpaid(call, settings.service);
  return {
    send: async (call) => {
      try {
        return await sendOrBuy(call);
      } catch (error) {
        throw toCallError(error, call, tools);
      }
    },
    readText: async (path) => {
      const url = new URL(path, settings.service);
      const { status, text } = await request(url, { method: 'GET', headers: new Headers() }, false);
      if (status !== 200) throw new CliError(`The service returned ${String(status)} for ${url.href}.`);
      return text;
    },
    waitUntilIdle: queue.waitUntilIdle,
  };
}

/** Returns true for a paid call without a payment of the client, if this server has a wallet. */
function isPaidByServer({ request: { operation }, payment }: ToolCall, { hasWallet }: McpSettings): boolean {
  return hasWallet && operation.priceUsd !== null && payment === undefined;
}

/** Sends a call without the wallet of this server. A payment of the client is passed on. */
async function sendUnpaid(
  { request: { operation, method, path, query, body, secret }, payment, signal }: ToolCall,
  service: URL,
): Promise<Response> {
  const url = new URL(path, service);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers();
  if (secret !== null) headers.set('authorization', `Bearer ${secret}`);
  if (operation.priceUsd !== null && payment !== undefined)
    headers.set('payment-signature', Buffer.from(JSON.stringify(payment)).toString('base64'));
  if (body !== undefined) headers.set('content-type', 'application/json');
  const content = body === undefined ? null : JSON.stringify(body);
  return toResponse(await request(url, { method, headers, body: content, signal }, payment === undefined));
}

async function request(
  url: URL,
  init: Parameters<typeof sendHttpRequest>[1],
  notCharged: boolean,
): Promise<ServiceResponse> {
  const received = await sendHttpRequest(url, init, 'mcp');
  if (!('error' in received)) return received;
  throw new CliError(
    `No response from ${url.origin}: ${received.error}. Check that a Touchstone service runs there.`,
    { code: 'service-unreachable', notCharged },
  );
}
