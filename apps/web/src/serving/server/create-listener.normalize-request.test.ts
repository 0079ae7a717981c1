import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalizeRequest } from './create-listener.ts';

/** A server that returns each request after its normalization. */
const server = createServer((request, response) => {
  normalizeRequest(request);
  const { method, url, headers } = request;
  response.end(
    JSON.stringify({ method, url, forwarded: headers['x-forwarded-for'], names: Object.keys(headers) }),
  );
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/**
 * Sends a request over a TCP socket, because HTTP clients refuse some of the methods and request targets in these
 * tests.
 */
async function send(requestLine: string, headers: readonly string[] = []): Promise<unknown> {
  // The cast is safe, because the address of a TCP server is an object with a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write([requestLine, 'Host: site', 'Connection: close', ...headers, '', ''].join('\r\n'));
  const [, body = ''] = (await text(socket)).split('\r\n\r\n');
  return JSON.parse(body);
}

describe('normalizeRequest', () => {
  it('appends the client address to X-Forwarded-For', async () => {
    expect(await send('GET /a?b=1 HTTP/1.1')).toMatchObject({ url: '/a?b=1', forwarded: '127.0.0.1' });
    const forged = ['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-For: 7.7.7.7'];
    expect(await send('GET / HTTP/1.1', forged)).toMatchObject({ forwarded: '6.6.6.6, 7.7.7.7, 127.0.0.1' });
  });

  it('removes the headers of Next, also those of its router', async () => {
    const headers = [
      'RSC: 1',
      'Next-Router-Prefetch: 1',
      'X-Nextjs-Data: 1',
      'X-Prerender-Revalidate: guess',
      'X-Middleware-Subrequest: src/proxy',
      'X-Matched-Path: /api/metrics',
    ];
    expect(await send('GET / HTTP/1.1', [...headers, 'Accept: text/html'])).toMatchObject({
      names: ['host', 'connection', 'accept', 'x-forwarded-for'],
    });
  });

  it('removes the payments of a request with another method than POST', async () => {
    const headers = ['Payment-Signature: e30=', 'X-Payment: e30='];
    expect(await send('POST / HTTP/1.1', [...headers, 'Content-Length: 0'])).toMatchObject({
      names: expect.arrayContaining(['payment-signature', 'x-payment']) as unknown,
    });
    expect(await send('PROPFIND / HTTP/1.1', headers)).toMatchObject({
      names: ['host', 'connection', 'x-forwarded-for'],
    });
  });

  it.each([
    ['GET /a?_rsc=1rq3k HTTP/1.1', { url: '/a' }],
    ['GET /a?_rsc HTTP/1.1', { url: '/a' }],
    ['GET /_next/data/build/watch.json?a=b HTTP/1.1', { url: '/_next/data' }],
    ['GET /a?b=1&_rsc=1rq3k HTTP/1.1', { url: '/a?b=1&_rsc=1rq3k' }],
    ['TRACE / HTTP/1.1', { method: 'UNKNOWN', url: '/' }],
    ['PROPFIND / HTTP/1.1', { method: 'PROPFIND', url: '/' }],
    ['OPTIONS * HTTP/1.1', { method: 'OPTIONS', url: '/*' }],
    ['GET http://other.example/a%20b?c HTTP/1.1', { method: 'GET', url: '/a%20b?c' }],
    ['GET //other.example/a HTTP/1.1', { method: 'GET', url: '//other.example/a' }],
    ['GET http://[ HTTP/1.1', { method: 'GET', url: '/http%3A%2F%2F%5B' }],
  ])('makes the request readable for the site: %s', async (line, seen) => {
    expect(await send(line)).toMatchObject(seen);
  });
});
