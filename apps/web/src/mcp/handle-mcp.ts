import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  localhostAllowedHostnames,
  originValidationResponse,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { createMcpServerCard } from '@touchstone/contract';
import { createMcpServerFactory } from '@touchstone/mcp';
import { getSiteOrigin } from '../config/config.ts';
import { createServiceLlmsText } from '../docs/service-llms-text.ts';
import { formatPayHint } from './pay-hint.ts';
import { readMessage } from './read-message.ts';
import { sendToolCall } from './send-tool-call.ts';

/** Maximum number of open `subscriptions/listen` streams. This server never sends a change event. */
const MAX_SUBSCRIPTIONS = 100;

let handler: McpHttpHandler | undefined;

/**
 * Handles a request of an MCP client: a message with POST. The SDK refuses GET and DELETE, because this server has no
 * sessions.
 */
export async function handleMcp(request: Request): Promise<Response> {
  const refusal = refuseRebinding(request);
  if (refusal !== undefined) return refusal;
  handler ??= createHandler();
  const isMessage = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'));
  if (!isMessage) return handler.fetch(request);
  const read = await readMessage(request);
  return 'refusal' in read ? read.refusal : handler.fetch(request, { parsedBody: read.message });
}

function createHandler(): McpHttpHandler {
  const baseUrl = getSiteOrigin(process.env);
  const factory = createMcpServerFactory({
    baseUrl,
    version: createMcpServerCard(baseUrl).version,
    send: sendToolCall,
    payHint: (tool) => formatPayHint(tool, baseUrl),
    readText: createServiceLlmsText,
  });
  return createMcpHandler(factory, { maxSubscriptions: MAX_SUBSCRIPTIONS });
}

/**
 * Refuses requests with a foreign `Host` or `Origin` header if this service runs on a loopback address. Otherwise a web
 * page could reach the service on the computer of its reader, by DNS rebinding.
 */
function refuseRebinding(request: Request): Response | undefined {
  const loopback = localhostAllowedHostnames();
  if (!loopback.includes(new URL(getSiteOrigin(process.env)).hostname)) return undefined;
  return hostHeaderValidationResponse(request, loopback) ?? originValidationResponse(request, loopback);
}
