import { isJsonObject } from '@touchstone/common';
import { inspect } from 'node:util';
import { problemSchema } from '@touchstone/contract';
import { CallError, type ToolCall } from '@touchstone/mcp';
import type { ServiceAndWallet } from '../buy/buy-settings.ts';
import { createOrder } from '../buy/order.ts';
import { formatReceipt, purchase } from '../buy/purchase.ts';
import { parseChallengeHeader } from '../buy/quote.ts';
import { openStoredPayments } from '../buy/stored-payments.ts';
import { CliError, type CliErrorCode, type CommandTools } from '../command-tools.ts';
import { parseOrNull } from '../json.ts';
import {
  createNoResponseError,
  describeProblem,
  ErrorResponseError,
  type RequestParts,
  sendRequest,
  type ServiceResponse,
  toServiceUrl,
} from '../service/request.ts';
import { findStateFolder } from '../state-files.ts';
import { createSpending, type Spending, type SpendingLimits } from './spending.ts';

export interface McpSettings extends ServiceAndWallet {
  /** CAIP-2 ids of the networks on which the server may pay. */
  readonly networks: readonly string[];
  readonly limits: SpendingLimits;
  /** False when no key is configured. Paid tools then return their quote. */
  readonly hasWallet: boolean;
}

/**
 * Connects tool calls to the service. Purchases run one after another, because each purchase is checked against the sum
 * of the earlier purchases.
 */
export function connectService(settings: McpSettings, tools: CommandTools) {
  const spending = createSpending(settings.limits);
  /** Resolves when the earlier purchases have ended. The next purchase also starts after a failed purchase. */
  let last: Promise<unknown> = Promise.resolve();
  const buy = (call: ToolCall): Promise<Response> => {
    const bought = last.then(() => buyCall(call, { settings, spending, tools }));
    last = bought.catch(() => undefined);
    return bought;
  };
  return {
    /**
     * Sends the request of a tool call, and pays if the operation is paid. @throws CallError with a message for the
     * agent
     */
    send: async (call: ToolCall): Promise<Response> => {
      try {
        return await (isPaidByServer(call, settings) ? buy(call) : sendUnpaid(call, settings.service));
      } catch (error) {
        throw toCallError(error, call, tools);
      }
    },
    readText: async (path: string): Promise<string> => {
      const url = new URL(path, settings.service);
      const { status, text } = await request(url, {}, false);
      if (status !== 200) throw new CliError(`The service returned ${String(status)} for ${url.href}.`);
      return text;
    },
    /** Resolves when no purchase is in progress. */
    waitUntilIdle: async (): Promise<void> => {
      await last;
    },
  };
}

/**
 * Returns true if this server pays the call: the operation is paid, the client sent no payment, and the server has a
 * wallet.
 */
function isPaidByServer({ request: { operation }, payment }: ToolCall, { hasWallet }: McpSettings): boolean {
  return hasWallet && operation.priceUsd !== null && payment === null;
}

/** Sends a call without the wallet of this server. A payment of the client is passed on. */
async function sendUnpaid(
  { request: { method, path, query, body, secret }, payment, signal }: ToolCall,
  service: URL,
): Promise<Response> {
  const headers = {
    ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    ...payment?.headers,
  };
  const parts = { method, headers, body: JSON.stringify(body), signal };
  return toResponse(await request(toServiceUrl(service, path, query), parts, payment === null));
}

async function request(url: URL, parts: RequestParts, notCharged: boolean): Promise<ServiceResponse> {
  const received = await sendRequest(url, parts, 'mcp');
  if (!('error' in received)) return received;
  throw createNoResponseError(url, received.error, { notCharged });
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
    // The client of a cancelled call ignores the result. The payment stays stored, so a repeated call gets the result
    // later.
    if (!signal.aborted) bought.confirmReceived();
    return response;
  } catch (error) {
    // A refused payment gets a message with advice on the wallet. Other errors are more useful as problem documents.
    if (!(error instanceof ErrorResponseError) || error.response.status === 402) throw error;
    return toProblemResponse(error);
  }
}

/** Returns the problem document of an error response. @throws the given error if the body is not a problem document */
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
  if (status === 402) parseChallengeHeader(headers);
  if (!isSuccess && status !== 402 && !problemSchema.safeParse(value).success)
    throw new CliError(describeProblem({ status, text }), { code: 'invalid-response' });
  // A 204 response must not have a body, so every success is returned with status 200.
  return new Response(text, { status: isSuccess ? 200 : status, headers });
}

/** Next step of the agent after each error of this server. `{tool}` is the name of the called tool. */
const NEXT_STEPS: Readonly<Record<CliErrorCode | 'cancelled' | 'internal', string>> = {
  'limit-exceeded':
    'Tell the user which limit is reached. Only the user can restart touchstone mcp with a higher limit. Do not repeat the call before that. The free tools still work.',
  'no-wallet':
    'Tell the user that touchstone mcp has no usable wallet. Do not ask for the private key. The free tools work without a wallet.',
  'network-not-allowed':
    'Tell the user. Only the user can restart touchstone mcp with another --network. The free tools still work.',
  'quote-rejected':
    'Tell the user: the service requires payment terms that must not be signed. Do not pay it in another way.',
  'service-unreachable':
    'Call {tool} again in a minute. If it fails again, tell the user to check --service of touchstone mcp.',
  'invalid-response':
    'Call {tool} again in a minute. If it fails again, tell the user to check --service of touchstone mcp.',
  'insufficient-funds':
    'Tell the user to add USDC to the wallet. Do not repeat the call before that. The free tools still work.',
  'payment-failed': 'Tell the user the reason. Repeat the call only if the reason has been removed.',
  'payment-open':
    'Call {tool} again with exactly the same arguments. It sends the same payment, which is charged at most once.',
  'purchase-in-progress': 'Call {tool} again in a minute with the same arguments.',
  cancelled: 'Call {tool} again with the same arguments if you need its result. It is charged at most once.',
  internal: 'Tell the user to read the standard error of touchstone mcp.',
};

/** Converts an error of a call. The details of an unexpected error are only logged, because they may be private. */
function toCallError(error: unknown, call: ToolCall, { printMessage }: CommandTools): CallError {
  if (error instanceof CliError)
    return createCallError(error.message, error.code ?? 'internal', { call, error });
  if (call.signal.aborted) return createCallError('The call was cancelled.', 'cancelled', { call });
  printMessage(`Touchstone failed: ${inspect(error)}`);
  return createCallError('touchstone mcp failed.', 'internal', { call });
}

function createCallError(
  message: string,
  code: keyof typeof NEXT_STEPS,
  { call: { tool, request }, error }: { readonly call: ToolCall; readonly error?: CliError },
): CallError {
  const isPaid = request.operation.priceUsd !== null;
  const nextStep = NEXT_STEPS[code].replaceAll('{tool}', tool.name);
  return new CallError(message, { code, nextStep, notCharged: isPaid && error?.notCharged === true });
}
