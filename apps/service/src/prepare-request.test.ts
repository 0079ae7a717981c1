import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import './prepare-requests.ts';

/** What a server in this process gets to see of each request. */
const server = createServer(({ method, url, headers }, response) => {
  response.end(JSON.stringify({ method, url, forwarded: headers['x-forwarded-for'] }));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** Sends bytes as they are: a client library would not send these. */
async function send(requestLine: string, headers: readonly string[] = []): Promise<unknown> {
  // A server that listens on a port has an address with a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write([requestLine, 'Host: site', 'Connection: close', ...headers, '', ''].join('\r\n'));
  const [, body = ''] = (await text(socket)).split('\r\n\r\n');
  return JSON.parse(body);
}

describe('a request that comes to the site', () => {
  it('names who asks, behind whatever the client wrote', async () => {
    expect(await send('GET /a?b=1 HTTP/1.1')).toEqual({
      method: 'GET',
      url: '/a?b=1',
      forwarded: '127.0.0.1',
    });
    const forged = ['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-For: 7.7.7.7'];
    expect(await send('GET / HTTP/1.1', forged)).toMatchObject({ forwarded: '6.6.6.6, 7.7.7.7, 127.0.0.1' });
  });

  it.each([
    ['TRACE / HTTP/1.1', { method: 'UNKNOWN', url: '/' }],
    ['PROPFIND / HTTP/1.1', { method: 'PROPFIND', url: '/' }],
    ['OPTIONS * HTTP/1.1', { method: 'OPTIONS', url: '/*' }],
    ['GET http://other.example/a%20b?c HTTP/1.1', { method: 'GET', url: '/a%20b?c' }],
    ['GET //other.example/a HTTP/1.1', { method: 'GET', url: '//other.example/a' }],
    ['GET http://[ HTTP/1.1', { method: 'GET', url: '/http%3A%2F%2F%5B' }],
  ])('can be read by the site: %s', async (line, seen) => {
    expect(await send(line)).toMatchObject(seen);
  });
});
