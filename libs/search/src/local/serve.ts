import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** Local HTTP server. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1 for a handler of web requests.
 *
 * @param port port, or 0 for a random port
 */
export async function serveLocally(
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<LocalServer> {
  const server = createServer((incoming, outgoing) => {
    void respond(handler, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${getPort(server)}/`, close: () => close(server) };
}

async function respond(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const closing = new AbortController();
  outgoing.once('close', () => {
    closing.abort();
  });
  try {
    const response = await handler(toRequest(incoming, closing.signal));
    // The rest of a body that was not read cannot be skipped, so the connection is closed.
    const headers = {
      ...Object.fromEntries(response.headers),
      ...(incoming.complete ? {} : { connection: 'close' }),
    };
    outgoing.writeHead(response.status, headers).end(await response.text());
  } catch {
    // The client ended the connection, or sent headers that are not a valid request.
    outgoing.destroy();
  }
}

/** @param signal aborts when the connection closes */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request('http://127.0.0.1/', {
    method,
    signal,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
}

function getPort(server: Server): number {
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
