import { createProblem } from '@touchstone/contract';
import type { ToolCall } from '@touchstone/mcp';
import { logError } from '../api/request-id.ts';
import { createProblemResponse } from '../api/responses.ts';
import { getSiteOrigin } from '../config/config.ts';
import { callOperation } from '../operations/operation-routes.ts';

/** Headers of the client that the rate limiters read to find its address. */
const FORWARDED_HEADERS = ['x-forwarded-for', 'x-vercel-forwarded-for'];

/**
 * Calls the operation of a tool call with the handlers of its HTTP route. A payment is presented like over HTTP, so the
 * same payment gets the same stored result over both. The call is not aborted with its client, because its payment may
 * already be settled, and the result is then stored.
 */
export async function sendToolCall(call: ToolCall): Promise<Response> {
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
  request: { operation, method, path, query, body, secret },
  payment,
  httpRequest,
}: Pick<ToolCall, 'request' | 'payment' | 'httpRequest'>): Request {
  const url = new URL(path, getSiteOrigin(process.env));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers({ accept: 'application/json' });
  for (const name of FORWARDED_HEADERS) {
    const value = httpRequest?.headers.get(name) ?? null;
    if (value !== null) headers.set(name, value);
  }
  if (secret !== null) headers.set('authorization', `Bearer ${secret}`);
  // A free operation takes no payment, so a payment that a client attaches to every call is left out.
  if (payment !== undefined && operation.priceUsd !== null) {
    headers.set('payment-signature', Buffer.from(JSON.stringify(payment)).toString('base64'));
  }
  if (body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(body) });
}
