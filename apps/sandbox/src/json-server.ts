import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { LOOPBACK } from './loopback.ts';

const BODY_LIMIT = 16_384;
const LOCAL_NAMES: ReadonlySet<string> = new Set([LOOPBACK, 'localhost']);

export interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Media type without its parameters, in lower case; "" when none was sent. */
  readonly mediaType: string;
  readonly body: string;
}

/** `text` is JSON already. */
export interface JsonReply {
  readonly status: number;
  readonly text: string;
}

type JsonHandler = (request: JsonRequest) => JsonReply | Promise<JsonReply>;

export const jsonOf = (status: number, value: unknown): JsonReply => ({
  status,
  text: JSON.stringify(value),
});

export const jsonError = (status: number, message: string): JsonReply => jsonOf(status, { error: message });

const readBody = async (request: IncomingMessage, limit: number): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** A page in a browser can reach the loopback address under a name of its own; those requests are not for us. */
const isLocal = (request: IncomingMessage): boolean =>
  LOCAL_NAMES.has((request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase());

const reply = async (request: IncomingMessage, handle: JsonHandler, limit: number): Promise<JsonReply> => {
  if (!isLocal(request)) return jsonError(403, 'this server answers on the loopback address only');
  const url = URL.parse(request.url ?? '/', `http://${LOOPBACK}`);
  if (!url) return jsonError(400, 'the path cannot be read');
  const body = await readBody(request, limit);
  if (body === null) return jsonError(413, `the body is longer than ${limit} bytes`);
  return handle({
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    mediaType: (request.headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase(),
    body,
  });
};

const send = (response: ServerResponse, { status, text }: JsonReply): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(text);
};

/**
 * A small HTTP server that answers JSON, to callers on this machine only.
 * @param bodyLimit longest body it reads, in bytes
 */
export const createJsonServer = (handle: JsonHandler, bodyLimit = BODY_LIMIT): Server =>
  createServer((request, response) => {
    reply(request, handle, bodyLimit).then(
      (answer) => send(response, answer),
      () => response.destroy(),
    );
  });
