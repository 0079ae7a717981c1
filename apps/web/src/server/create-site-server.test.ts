import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { createSiteServer, type SiteServerTimes } from './create-site-server.ts';

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

it('refuses headers over 16 KiB with status 431', async () => {
  const socket = await open({});
  socket.write(`GET / HTTP/1.1\r\nHost: site\r\nX-Long: ${'x'.repeat(16 * 1024)}\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 431 /);
});

it('has time limits by default', async () => {
  (await open({})).destroy();
  expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
  expect(server.timeout).toBeGreaterThan(0);
});
