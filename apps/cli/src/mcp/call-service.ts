import type { ToolCall } from '@touchstone/mcp';
import { problemSchema } from '@touchstone/contract';
import { createOrder, sendHttpRequest, type ServiceResponse } from '../buy/service/send-request.ts';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { formatReceipt } from '../buy/payment/payment-messages.ts';
import { findStateFolder, openStoredPayments } from '../buy/payment/stored-payments.ts';
import { purchase } from '../buy/purchase.ts';
import { describeProblem, ErrorResponseError } from '../buy/service/read-problem.ts';
import { readChallenge } from '../buy/quote/read-quote.ts';
import { parseOrNull } from '../verify/parse-strict.ts';
import { toCallError } from './call-errors.ts';
import type { McpSettings } from './serve-mcp.ts';
import { createSpending, type Spending } from './spending.ts';

/** Connection of the MCP server to the service. */
interface ServiceConnection {
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

interface BuyContext {
  readonly settings: McpSettings;
  readonly spending: Spending;
  readonly tools: CommandTools;
}

/**
 * Buys the result of a call with the wallet of this server.
 *
 * @throws CliError when nothing was bought, with the reason and with what is known about the charge
 */
async function buyCall(
  { tool, request: { path, query, body = {} }, signal }: ToolCall,
  { settings, spending, tools }: BuyContext,
): Promise<Response> {
  signal.throwIfAborted();
  const order = createOrder(settings.service, { path, query, input: body, description: tool.title });
  const stored = openStoredPayments(findStateFolder(tools.host.env), Date.now).find(order);
  const conditions = {
    ...settings,
    ...spending.findLimit(stored),
    yes: true,
    beforeSend: spending.count,
    retry: 'Call the tool again with the same arguments',
    signal,
  };
  try {
    const bought = await purchase(order, conditions, tools);
    tools.printMessage(formatReceipt(bought));
    const response = toResponse({ status: 200, headers: bought.headers, text: bought.text });
    // The client has cancelled the call and ignores its result. The same call then gets it with the stored payment.
    if (!signal.aborted) bought.confirmReceived();
    return response;
  } catch (error) {
    // A refused payment gets a message with advice on the wallet. Other errors are more useful as problem documents.
    if (!(error instanceof ErrorResponseError) || error.response.status === 402) throw error;
    return toProblemResponse(error);
  }
}

/** Returns the problem document of an error response. @throws the error if the response has another body */
function toProblemResponse(error: ErrorResponseError): Response {
  try {
    return toResponse(error.response);
  } catch {
    throw error;
  }
}

/**
 * Converts a response of the service to the response from which a tool result is created. The response of the service is
 * untrusted: only a JSON object, a challenge and a problem document pass.
 *
 * @throws CliError for any other response
 */
function toResponse({ status, headers, text }: ServiceResponse): Response {
  const value = parseOrNull(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !isJsonObject(value)) {
    throw new CliError(
      `The service returned ${String(status)} without a JSON object. It may not be a Touchstone service.`,
      { code: 'invalid-response' },
    );
  }
  if (status === 402) readChallenge(headers);
  if (!isSuccess && status !== 402 && !problemSchema.safeParse(value).success)
    throw new CliError(describeProblem({ status, text }), { code: 'invalid-response' });
  // A 204 response must not have a body, so every success is a 200.
  return new Response(text, { status: isSuccess ? 200 : status, headers });
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Runs tasks one after another, in the order of their arrival. */
interface Queue {
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Resolves when all tasks so far have ended. */
  readonly waitUntilIdle: () => Promise<void>;
}

/** Creates an empty queue. A task that fails does not stop the next one. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
    waitUntilIdle: async () => {
      await last;
    },
  };
}
