import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@touchstone/common';
import { toMessage } from '../../command-tools.ts';

/** Maximum size of a request body, in bytes (1 MiB). */
const MAX_BODY_BYTES = 1_048_576;
/** Maximum duration of a request until its body is received, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Function that handles the requests to a route. `body`: parsed JSON; undefined for GET. The result is sent as JSON, with
 * status 200.
 */
export type Handler = (body: unknown) => object | Promise<object>;

/** Handlers by method and path, such as `POST /check`. */
export type Routes = Readonly<Record<string, Handler>>;

/** Request that is not handled. The message explains what to change. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Creates a server of JSON for programs on the same machine. Web pages in a browser on the machine must not reach the
 * server. The server therefore refuses other names than loopback names (DNS rebinding), requests with an `Origin`, and
 * bodies that a page can send without a preflight request (cross-site request forgery). It sends no CORS headers.
 *
 * @param onFailure receives an error that a handler did not expect
 */
export function createLoopbackServer(routes: Routes, onFailure: (error: unknown) => void): Server {
  const server = createServer((request, response) => {
    handle(request, routes).then(
      (body) => send(response, 200, body),
      (error: unknown) => sendProblem(response, error, onFailure),
    );
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

async function handle(request: IncomingMessage, routes: Routes): Promise<object> {
  assertLocal(request);
  const { method = '', url = '' } = request;
  const [path = ''] = url.split('?');
  const handler = routes[`${method} ${path}`];
  if (handler === undefined) throw createRouteError(`${method} ${path}`, routes);
  if (method === 'GET') return handler(undefined);
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new RequestError(415, 'The header Content-Type must be application/json. Send the values as JSON.');
  return handler(parseBody(await readBody(request)));
}

/** @throws RequestError for a request that a web page may have sent */
function assertLocal({ headers: { host = '', origin } }: IncomingMessage): void {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? '';
  if (!isLoopbackHost(hostname))
    throw new RequestError(
      403,
      'The header Host must be a loopback address. Use the URL that the command printed, such as http://127.0.0.1:4020.',
    );
  if (origin !== undefined)
    throw new RequestError(
      403,
      'Requests of web pages are refused. Send the request from a program, without Origin.',
    );
}

function createRouteError(route: string, routes: Routes): RequestError {
  const [, path = ''] = route.split(' ');
  const known = Object.keys(routes);
  const same = known.filter((each) => each.endsWith(` ${path}`));
  return same.length > 0
    ? new RequestError(405, `${route} is not allowed. Use ${same.join(' or ')}.`)
    : new RequestError(404, `There is no route ${path}. The routes are ${known.join(', ')}.`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // TypeScript does not know the type of the chunks: without an encoding, they are buffers.
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // A body that is too long is received without being kept, so that the client can read the response.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    throw new RequestError(400, 'The request ended before its body was complete.');
  }
  if (size > MAX_BODY_BYTES)
    throw new RequestError(413, 'The request is longer than 1 MiB. Send body_sha256 in place of body.');
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'The body is not valid JSON. Send one JSON object.');
  }
}

function sendProblem(response: ServerResponse, problem: unknown, onFailure: (error: unknown) => void): void {
  if (problem instanceof RequestError) {
    send(response, problem.status, { error: problem.message });
    return;
  }
  onFailure(problem);
  const error = `The guard failed, so do not send the payment: ${toMessage(problem)}`;
  send(response, 500, { error });
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(`${JSON.stringify(body)}\n`);
}
