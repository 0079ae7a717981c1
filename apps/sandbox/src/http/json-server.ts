import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { LOOPBACK } from './loopback.ts';

/** Default maximum length of a request body, in bytes. */
const DEFAULT_MAX_BODY_BYTES = 16_384;
/**
 * Time after which the server closes an idle connection, in milliseconds. Node's default is five seconds. A busy client
 * would notice the close too late, and its next request would fail.
 */
const KEEP_ALIVE_MS = 60_000;
const LOCAL_NAMES: ReadonlySet<string> = new Set([LOOPBACK, 'localhost']);

export interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Media type without its parameters, in lower case; "" when the request has no media type. */
  readonly mediaType: string;
  readonly body: string;
}

export interface JsonServerResponse {
  readonly status: number;
  /** Body, already serialised as JSON unless `headers` name another content type. */
  readonly text: string;
  /** Further headers, with names in lower case. A `content-type` here replaces the default. */
  readonly headers?: Readonly<Record<string, string>>;
}

type JsonHandler = (request: JsonRequest) => JsonServerResponse | Promise<JsonServerResponse>;

export function respondJson(status: number, value: unknown): JsonServerResponse {
  return { status, text: JSON.stringify(value) };
}

export function respondError(status: number, message: string): JsonServerResponse {
  return respondJson(status, { error: message });
}

/**
 * Returns true when the `Host` header is 127.0.0.1 or localhost. The check prevents DNS rebinding. In this attack, the
 * host name of a web page resolves to the loopback address, but the `Host` header still has the name of the page.
 */
function hasLocalHost(request: IncomingMessage): boolean {
  return LOCAL_NAMES.has((request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase());
}

async function respond(
  request: IncomingMessage,
  handle: JsonHandler,
  maxBodyBytes: number,
): Promise<JsonServerResponse> {
  if (!hasLocalHost(request)) return respondError(403, 'the Host header must be 127.0.0.1 or localhost');
  const url = URL.parse(request.url ?? '/', `http://${LOOPBACK}`);
  if (!url) return respondError(400, 'the request target is not a valid path');
  try {
    return await handle({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      mediaType: (request.headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase(),
      body: await readBoundedText(request, maxBodyBytes),
    });
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      return respondError(413, `the body is longer than ${maxBodyBytes} bytes`);
    throw error;
  }
}

function send(response: ServerResponse, { status, text, headers }: JsonServerResponse): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/**
 * Creates an HTTP server with JSON responses, for clients on this machine only.
 * @param maxBodyBytes maximum length of a request body, in bytes
 */
export function createJsonServer(handle: JsonHandler, maxBodyBytes = DEFAULT_MAX_BODY_BYTES): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    respond(request, handle, maxBodyBytes).then(
      (result) => send(response, result),
      () => response.destroy(),
    );
  });
}
