import { once } from 'node:events';
import { type RequestListener, type Server, type ServerOptions, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { type RestLimits, createUnreadableRefusal } from './refuse-unreadable.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const MINUTE_LIMITS: RestLimits = { maxMs: 60_000, maxBytes: 64 * 1024 * 1024 };

interface Connection {
  /** Socket of the client. The client ends its side of the connection only if `allowHalfOpen` is false. */
  readonly client: Socket;
  /** Socket of the server. */
  readonly accepted: Socket;
}

interface OpenOptions {
  readonly allowHalfOpen?: boolean;
  readonly listener?: RequestListener;
  readonly times?: ServerOptions;
}

async function listen(
  limits: RestLimits,
  { listener = () => undefined, times = {} }: OpenOptions = {},
): Promise<void> {
  server = createServer(times, listener);
  server.on('clientError', createUnreadableRefusal(limits));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function openConnection(allowHalfOpen = false): Promise<Connection> {
  // The cast is safe, because the address of a TCP server is an object with a port.
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen });
  // The cast is safe, because the event `connection` has the socket as its only value.
  const [accepted] = (await connected) as [Socket];
  return { client, accepted };
}

async function open(limits: RestLimits, options: OpenOptions = {}): Promise<Connection> {
  await listen(limits, options);
  return openConnection(options.allowHalfOpen);
}

const POST = 'POST / HTTP/1.1\r\nHost: site\r\nTransfer-Encoding: chunked\r\n\r\n';

it.each([
  [400, 'a malformed header', 'GET / HTTP/1.1\r\nHost\r\n\r\n'],
  [400, 'an unfinished request', 'GET / HTTP/1.1\r\nHost: '],
  [400, 'a malformed body', `${POST}not a length\r\n`],
  [413, 'large chunk extensions', `${POST}1;${'x'.repeat(100_000)}`],
])('responds with status %d to %s, and then closes the connection', async (status, _, request) => {
  const { client } = await open(MINUTE_LIMITS);
  client.end(request);
  const [head = '', body = ''] = (await text(client)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  expect(head).toContain(`\r\nContent-Length: ${String(body.length)}\r\n`);
});

it.each([100, 1024])('sends the whole status 431 to every client with headers of %d KiB', async (kib) => {
  await listen(MINUTE_LIMITS);
  for (let time = 0; time < 20; time += 1) {
    const { client } = await openConnection();
    client.write(`GET / HTTP/1.1\r\nHost: site\r\nX-Long: ${'x'.repeat(kib * 1024)}\r\n\r\n`);
    // Rejects if the server resets the connection.
    expect(await text(client)).toMatch(/^HTTP\/1\.1 431 [^]*Send at most 16 KiB of headers\.\n$/);
  }
});

it('writes nothing after a response that has begun', async () => {
  const { client } = await open(MINUTE_LIMITS, { listener: (_, response) => response.write('begun') });
  client.write(POST);
  let received = '';
  client.on('data', (data: Buffer) => {
    received += data.toString();
    client.write('not a length\r\n');
  });
  await once(client, 'close');
  expect(received).toMatch(/begun\r\n$/);
});

it.each([
  ['headers', 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 4\r\n', '\r\nbody'],
  ['a body', 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 4\r\n\r\n', 'body'],
])('processes no request that the client completes after status 408: %s', async (_, start, rest) => {
  const processed = vi.fn();
  const { client } = await open(MINUTE_LIMITS, {
    allowHalfOpen: true,
    listener: (request) => request.resume().once('end', processed),
    times: { headersTimeout: 20, requestTimeout: 30, connectionsCheckingInterval: 10 },
  });
  client.write(start);
  client.once('data', () => client.end(rest));
  expect(await text(client)).toMatch(/^HTTP\/1\.1 408 /);
  await once(client, 'close');
  expect(processed).not.toHaveBeenCalled();
});

it('ends a connection that the client keeps open', async () => {
  const { client, accepted } = await open({ ...MINUTE_LIMITS, maxMs: 10 }, { allowHalfOpen: true });
  client.write('not HTTP\r\n\r\n');
  await once(accepted, 'close');
});

it('ends a connection after the maximum number of bytes', async () => {
  const { client, accepted } = await open({ ...MINUTE_LIMITS, maxBytes: 100_000 }, { allowHalfOpen: true });
  client.on('error', () => undefined);
  client.write('not HTTP\r\n\r\n'.repeat(100_000));
  await once(accepted, 'close');
  expect(accepted.bytesRead).toBeLessThan(500_000);
});
