import {
  type McpHttpHandler,
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { setImmediate as waitForNextTurn } from 'node:timers/promises';
import {
  BodyTooLargeError,
  hasMoreValues,
  isJsonObject,
  MAX_RESOURCE_CHARS,
  MINUTE_MS,
  parseJson,
  readBoundedBytes,
} from '@touchstone/common';
import {
  createMcpServerCard,
  createProblem,
  MAX_BODY_VALUES,
  MCP_PATH,
  PAYMENT_META,
  problemSchema,
  type Operation,
  type Tool,
} from '@touchstone/contract';
import { createPurchaseQueue } from '@touchstone/payment/queue/purchase-queue';
import { findDuplicateMember } from '@touchstone/x402/strict-json';
import { getQueueClient, mcpLimiter } from '../../api/rate-limit/limiters.ts';
import type { ApiHandler } from '../../api/route.ts';
import { type ToolCall, correctMessage, createMcpServerFactory } from '@touchstone/mcp';
import { shareResult } from '../../platform/process-value.ts';
import { logError } from '../../platform/request-log.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { listServerWords } from '../documents/cli-command.ts';
import { findSampleResource } from '../documents/sample-resource.ts';
import { createServiceLlmsText } from '../documents/service-llms-text.ts';

/** Maximum number of open `subscriptions/listen` streams. This server never sends a change event. */
const MAX_SUBSCRIPTIONS = 100;

/** Calls an operation with the handlers of its HTTP route. */
type CallOperation = (operation: Operation, request: Request) => Promise<Response>;

/**
 * Creates the handler of MCP requests. MCP clients send messages with POST. The SDK refuses GET and DELETE, because
 * this server has no sessions.
 */
export function createMcpRequestHandler(callOperation: CallOperation): ApiHandler {
  let handler: McpHttpHandler | undefined;
  return async (request) => {
    const refusal = refuseRebinding(request);
    if (refusal !== undefined) return refusal;
    handler ??= createHandler(callOperation);
    const isMessage = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'));
    if (!isMessage) return handler.fetch(request);
    return handlePost(handler, request);
  };
}

/**
 * Starts one POST request per turn of the event loop, and gives waiting clients turns in rotation. Otherwise hundreds of
 * requests that arrive together would be processed in one turn, and a purchase, which needs many turns, would wait for
 * all of them in each turn. A refused message also takes a turn, because its client sends the next one after the
 * response. The queue needs no maximum size, because a waiting request is only an open connection.
 */
const turns = createPurchaseQueue({
  ...{ maxSlots: 1, maxSlotsPerClient: 1 },
  ...{ maxPurchases: Infinity, maxPurchasesPerClient: Infinity },
});

/** Reads the message or the batch of a request, counts each message for the rate limit, and handles the messages. */
async function handlePost(handler: McpHttpHandler, request: Request): Promise<Response> {
  // A client over its limit is refused before it takes a turn.
  const checked = await mcpLimiter(request, () => Promise.resolve(new Response()), 0);
  if (checked.status === 429) return toJsonRpcError(checked);
  await turns.run(getQueueClient(request), () => waitForNextTurn());
  const read = await readMessage(request);
  const count = 'message' in read && Array.isArray(read.message) ? read.message.length : 1;
  const respond = async (): Promise<Response> =>
    'refusal' in read ? read.refusal : handleMessage(handler, request, read.message);
  const response = await mcpLimiter(request, respond, Math.max(1, count));
  return response.status === 429 ? toJsonRpcError(response) : response;
}

/** Converts the response of the rate limiter to a JSON-RPC error. */
async function toJsonRpcError(limited: Response): Promise<Response> {
  const { detail } = problemSchema.parse(await limited.json());
  const headers = new Headers(limited.headers);
  headers.set('content-type', 'application/json');
  const error = { code: CODES.serverError, message: detail };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: limited.status, headers });
}

/**
 * Handles a message. The SDK serves only clients that accept both JSON and a stream of events, and sends streams to
 * clients of the older revisions. Many clients accept only JSON or anything, or have no `Accept` header. Clients that do
 * not name streams get JSON.
 */
async function handleMessage(
  handler: McpHttpHandler,
  { url, method, headers: received, signal }: Request,
  message: unknown,
): Promise<Response> {
  const headers = new Headers(received);
  headers.set('accept', 'application/json, text/event-stream');
  const response = await handler.fetch(new Request(url, { method, headers, signal }), {
    parsedBody: message,
  });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  // A subscription has no end, so its stream cannot become JSON.
  const isSubscription = isJsonObject(message) && message['method'] === 'subscriptions/listen';
  const acceptsStream = received.get('accept')?.includes('text/event-stream') === true;
  return isStream && !acceptsStream && !isSubscription ? toJsonResponse(response, message) : response;
}

/**
 * Converts a stream of events to the JSON response of its message. Notifications, such as progress, are left out. A
 * stream without a response becomes an error.
 */
async function toJsonResponse(response: Response, message: unknown): Promise<Response> {
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, text = '']) =>
    parseJson(text),
  );
  const results = data.filter((each) => isJsonObject(each) && 'id' in each && !('method' in each));
  if (results.length === 0) return refuse(500, CODES.serverError, 'The message got no response.').refusal;
  // Next would compress the response for each request.
  const headers = { 'cache-control': 'no-transform' };
  return Response.json(Array.isArray(message) ? results : results[0], { status: response.status, headers });
}

function createHandler(callOperation: CallOperation): McpHttpHandler {
  const baseUrl = getSiteOrigin(process.env);
  const factory = createMcpServerFactory({
    baseUrl,
    version: createMcpServerCard(baseUrl).version,
    send: (call) => sendToolCall(call, callOperation),
    payHint: (tool) => formatPayHint(tool, baseUrl),
    readText: () =>
      shareResult('llms-text', MINUTE_MS, async () =>
        createServiceLlmsText((await findSampleResource()) ?? undefined),
      ),
  });
  return createMcpHandler(factory, { maxSubscriptions: MAX_SUBSCRIPTIONS });
}

/**
 * Refuses requests with the `Host` or `Origin` header of another site if this service runs on a loopback address.
 * Otherwise a web page could send requests to the service on its reader's computer (DNS rebinding).
 */
function refuseRebinding(request: Request): Response | undefined {
  const loopback = localhostAllowedHostnames();
  if (!loopback.includes(new URL(getSiteOrigin(process.env)).hostname)) return undefined;
  return hostHeaderValidationResponse(request, loopback) ?? originValidationResponse(request, loopback);
}

/**
 * Maximum length of a message, in bytes. The limit is larger than the API limit of 64 KiB, because a message has the
 * payment and the body of a request.
 */
const MAX_MESSAGE_BYTES = 96 * 1024;

/**
 * Maximum number of messages in a JSON-RPC batch. Only protocol revision 2025-03-26 has batches. Without a limit, one
 * batch could request thousands of long lists.
 */
const MAX_BATCH_MESSAGES = 10;

/** Error codes of JSON-RPC 2.0, and -32000 for errors of the server. */
const CODES = { parseError: -32_700, invalidRequest: -32_600, serverError: -32_000 } as const;

type ReadMessage = { readonly message: unknown } | { readonly refusal: Response };

/** Reads the JSON body of a request with limits. If the request is refused, returns the response. */
async function readMessage(request: Request): Promise<ReadMessage> {
  let bytes: Uint8Array;
  try {
    bytes = await readBoundedBytes(request.body, MAX_MESSAGE_BYTES);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return refuse(413, CODES.serverError, 'The message is larger than 96 KiB. Send shorter arguments.');
  }
  const message = parseJson(bytes);
  if (message === undefined) return refuse(400, CODES.parseError, 'The body is not valid JSON.');
  if (findDuplicateMember(new TextDecoder().decode(bytes)) !== null) {
    const text = 'An object of the message has two members of the same name. Send each member once.';
    return refuse(400, CODES.invalidRequest, text);
  }
  if (Array.isArray(message) && message.length > MAX_BATCH_MESSAGES) {
    const text = `The batch has ${String(message.length)} messages. Send at most ${String(MAX_BATCH_MESSAGES)} at once.`;
    return refuse(400, CODES.invalidRequest, text);
  }
  const excess = [message]
    .flat()
    .map(findExcess)
    .find((found) => found !== null);
  if (excess !== undefined) return refuse(400, CODES.invalidRequest, excess);
  return { message: correctMessage(message) };
}

/** Maximum number of values in a message that calls no tool, at any depth. */
const MAX_MESSAGE_VALUES = 200;

/**
 * Finds what is too much in a message for the SDK: the SDK describes each invalid value in its errors, and repeats
 * unknown names.
 *
 * @returns the error text; null for a normal message
 */
function findExcess(message: unknown): string | null {
  const { method, params } = isJsonObject(message) ? message : {};
  const limit = method === 'tools/call' ? MAX_BODY_VALUES : MAX_MESSAGE_VALUES;
  if (hasMoreValues(message, limit)) {
    return `The message has more than ${String(limit)} values. Send fewer list items and members.`;
  }
  const { name, uri, ref } = isJsonObject(params) ? params : {};
  const names = [method, name, uri, ...(isJsonObject(ref) ? Object.values(ref) : [])];
  const isLong = names.some((each) => typeof each === 'string' && each.length > MAX_RESOURCE_CHARS);
  return isLong ? `A name or URI has more than ${String(MAX_RESOURCE_CHARS)} characters.` : null;
}

function refuse(status: number, code: number, message: string): { readonly refusal: Response } {
  return { refusal: Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status }) };
}

/** Request headers with the client address. The rate limiters read these headers. */
const FORWARDED_HEADERS = ['x-forwarded-for', 'x-vercel-forwarded-for'];

/**
 * Calls the operation of a tool call with the handlers of its HTTP route. The payment is sent in an HTTP header, so the
 * same payment gets the same stored result over HTTP and over MCP. If the client disconnects, the call continues,
 * because the payment may already be settled. The result is then stored.
 */
async function sendToolCall(call: ToolCall, callOperation: CallOperation): Promise<Response> {
  const { operation } = call.request;
  try {
    return await callOperation(operation, toHttpRequest(call));
  } catch (error) {
    logError({ failed: `MCP ${operation.id}` }, error);
    return createProblemResponse(
      createProblem('internal', 'The service failed to process this request. Send it again in a minute.'),
    );
  }
}

/** Creates the HTTP request of a tool call, with its payment and the client address for the rate limiters. */
export function toHttpRequest({
  request: { method, path, query, body, secret },
  payment,
  httpRequest,
}: Pick<ToolCall, 'request' | 'payment' | 'httpRequest'>): Request {
  const url = new URL(path, getSiteOrigin(process.env));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers({ accept: 'application/json', ...payment?.headers });
  for (const name of FORWARDED_HEADERS) {
    const value = httpRequest?.headers.get(name) ?? null;
    if (value !== null) headers.set(name, value);
  }
  if (secret !== null) headers.set('authorization', `Bearer ${secret}`);
  if (body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(body) });
}

/**
 * Creates the text that follows the price of a paid tool. The text explains how the agent can pay.
 *
 * @param baseUrl public origin of the service
 */
export function formatPayHint({ name }: Tool, baseUrl: string): string {
  const command = listServerWords(baseUrl).join(' ');
  return [
    `To pay with x402, sign one of \`accepts\` and call ${name} again with the same arguments and the payment in \`_meta["${PAYMENT_META}"]\`. MCP clients with x402 support do this by themselves.`,
    `Without a wallet in this client: ask the user to add the local server \`${command}\`, which pays within limits that the user sets; ${baseUrl}${MCP_PATH} shows how. x402_summary, x402_trust_preview, x402_trust_leaderboard and x402_ecosystem_stats are free.`,
  ].join('\n');
}
