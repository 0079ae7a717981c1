import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { type SiteServerTimes, closeServer, createSiteServer } from './create-site-server.ts';

let server: Server;
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection to a site. The client does not end its side of the connection by itself. */
async function open(
  listener: RequestListener = () => undefined,
  times: SiteServerTimes = {},
): Promise<Socket> {
  server = createSiteServer(listener, times);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe, because the address of a TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true });
}

const POST = 'POST / HTTP/1.1\r\nHost: site\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;

it.each([
  [400, 'a malformed header', 'GET / HTTP/1.1\r\nHost\r\n\r\n'],
  [400, 'an unfinished request', 'GET / HTTP/1.1\r\nHost: '],
  [400, 'a malformed body', `${CHUNKED}not a length\r\n`],
  [413, 'large chunk extensions', `${CHUNKED}1;${'x'.repeat(100_000)}`],
  // Rejects if the server resets the connection.
  [431, 'headers of 1 MiB', `${POST}X-Long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
])('responds with status %d to %s, and then closes the connection', async (status, _, request) => {
  const client = await open();
  client.end(request);
  const [head = '', body = ''] = (await text(client)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  expect(head).toContain(`\r\nContent-Length: ${String(body.length)}\r\n`);
});

it.each([
  ['has not begun', (response: ServerResponse) => setImmediate(() => response.end('result'))],
  [
    'has begun',
    (response: ServerResponse) => response.write('re') && setImmediate(() => response.end('sult')),
  ],
])('completes a response that %s, if unreadable bytes follow its request', async (_, respond) => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<true>();
  const client = await open((__, response) => {
    response.once('finish', () => finish(true));
    respond(response);
  });
  client.write(`${POST}Content-Length: 2\r\n\r\n{}}}`);
  await finished;
  // The client still sends. The writing fails if the server resets the connection.
  const rest = '}'.repeat(8 * 1024 * 1024);
  expect(await new Promise((done) => client.write(rest, done))).toBeFalsy();
  const received = await text(client);
  expect(received).toMatch(/^HTTP\/1\.1 200 [^]*re[^]*sult/);
  expect(received).not.toContain(' 400 ');
});

it('writes nothing after a response that has begun, if the body of its request is malformed', async () => {
  const client = await open((_, response) => response.write('begun'));
  client.write(CHUNKED);
  let received = '';
  client.on('data', (data: Buffer) => {
    received += data.toString();
    client.write('not a length\r\n');
  });
  client.on('error', () => undefined);
  await once(client, 'end');
  expect(received).toMatch(/begun\r\n$/);
});

it.each([
  ['headers', `${POST}Content-Length: 4\r\n`, '\r\nbody'],
  ['a body', `${POST}Content-Length: 4\r\n\r\n`, 'body'],
])('processes no request that the client completes after status 408: %s', async (_, start, rest) => {
  const processed = vi.fn();
  const times = { headersTimeout: 20, requestTimeout: 30, connectionsCheckingInterval: 10 };
  const client = await open((request) => request.resume().once('end', processed), times);
  client.write(start);
  client.once('data', () => client.end(rest));
  expect(await text(client)).toMatch(/^HTTP\/1\.1 408 /);
  await once(client, 'close');
  expect(processed).not.toHaveBeenCalled();
});

it.each([
  ['after five seconds', () => vi.advanceTimersByTime(5_000)],
  [
    'when the server closes',
    () => {
      void closeServer(server);
      vi.advanceTimersByTime(100);
    },
  ],
])('ends a connection that the client keeps open %s', async (_, pass) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const client = await open();
  const connected = once(server, 'connection');
  client.write('not HTTP\r\n\r\n');
  // The cast is safe, because the event `connection` has the socket as its only value.
  const [accepted] = (await connected) as [Socket];
  await text(client);
  expect(accepted.destroyed).toBe(false);
  pass();
  expect(accepted.destroyed).toBe(true);
});
