import { once } from 'node:events';
import { Agent, type IncomingMessage, type Server, type ServerResponse, createServer, get } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { type SiteServerTimes, closeServer, createSiteServer } from './create-site-server.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function open(times: SiteServerTimes): Promise<Socket> {
  server = createSiteServer((request, response) => {
    request.resume().once('end', () => response.end('complete'));
  }, times);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe, because the address of a TCP server is an object with a port.
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

const SHORT = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };

it.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: site\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 10\r\n\r\nshort'],
])('closes the connection of a client that does not complete %s', async (_, start) => {
  const socket = await open(SHORT);
  socket.write(start);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
});

it('closes a connection without a request', async () => {
  const socket = await open(SHORT);
  expect(await text(socket)).toMatch(/^(?:HTTP\/1.1 408 |$)/);
});

it.each([
  [400, 'two Host headers', 'GET / HTTP/1.1\r\nHost: site\r\nHost: other'],
  [400, 'the same Host header twice', 'GET / HTTP/1.1\r\nHost: site\r\nHost: site'],
  [400, 'another host in its target', 'GET http://other/ HTTP/1.1\r\nHost: site'],
  [200, 'the same host in its target', 'GET http://SITE:80/ HTTP/1.1\r\nHost: site'],
  [200, 'the target *', 'OPTIONS * HTTP/1.1\r\nHost: site'],
  [200, 'an unreadable target', 'GET http://[ HTTP/1.1\r\nHost: site'],
])('responds with status %d to a request with %s', async (status, _, start) => {
  const socket = await open({});
  socket.write(`${start}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
});

it('has time limits by default', async () => {
  (await open({})).destroy();
  expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
  expect(server.timeout).toBeGreaterThan(0);
});

/**
 * Time after which the server itself closes idle connections, in milliseconds. This time is longer than the timeout of
 * a test.
 */
const KEEP_ALIVE_MS = 60_000;

/** Starts a server, and a request over a keep-alive connection. The test sends the response. */
async function startRequest() {
  const responses: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_, response) => {
    responses.push(response);
    server.emit('received');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe, because the address of a TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const request = get({ port, host: '127.0.0.1', agent });
  // The cast is safe, because the event `response` has the response as its only value.
  const received = once(request, 'response').then(([value]) => value as IncomingMessage);
  await once(server, 'received');
  const [response] = responses;
  if (response === undefined) throw new Error('The server received no request.');
  return { close: () => closeServer(server), response, received };
}

it('finishes a request under way, and closes its connection', async () => {
  const { close, response, received } = await startRequest();
  const closed = close();
  response.writeHead(200, ['Content-Type', 'text/plain']).end('complete');
  expect(await text(await received)).toBe('complete');
  await closed;
});

it('closes the connection of a response whose headers were sent before', async () => {
  const { close, response, received } = await startRequest();
  response.write('half');
  const message = await received;
  expect(message.headers.connection).toBe('keep-alive');
  const closed = close();
  response.end(' complete');
  expect(await text(message)).toBe('half complete');
  await closed;
});
