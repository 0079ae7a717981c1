import { once } from 'node:events';
import { type IncomingMessage, request as sendHttp } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoopbackServer, RequestError } from './loopback-server.ts';

const failures: unknown[] = [];
const server = createLoopbackServer(
  {
    'GET /health': () => ({ status: 'ok' }),
    'POST /echo': (body) => ({ body }),
    'POST /refuse': () => {
      throw new RequestError(404, 'There is no payment 7.');
    },
    'POST /fail': () => {
      throw new Error('the journal is locked');
    },
  },
  (error) => failures.push(error),
);
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const JSON_TYPE = { 'content-type': 'application/json' };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(route: string, { headers = JSON_TYPE, body = '{"a":1}' }: Sent = {}) {
  const [method = '', path = ''] = route.split(' ');
  const request = sendHttp({ host: '127.0.0.1', port, method, path, headers });
  request.end(method === 'GET' ? undefined : body);
  // The first argument of the event `response` is the response.
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const received = JSON.parse(await text(response)) as { readonly error?: string };
  return { status: response.statusCode, headers: response.headers, received, error: received.error };
}

describe('createLoopbackServer', () => {
  it('responds with JSON, and without permissions for web pages', async () => {
    const { status, headers, received } = await send('POST /echo?x=1');
    expect([status, received]).toEqual([200, { body: { a: 1 } }]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await send('GET /health', { headers: { host: 'localhost:4020' } })).received).toEqual({
      status: 'ok',
    });
    expect((await send('GET /health', { headers: { host: '[::1]:4020' } })).status).toBe(200);
  });

  it.each([
    [
      'a name that points to loopback',
      'POST /echo',
      403,
      'Host',
      { headers: { host: 'evil.example', ...JSON_TYPE } },
    ],
    [
      'a name that begins like loopback',
      'GET /health',
      403,
      'Host',
      { headers: { host: '127.0.0.1.evil.example' } },
    ],
    ['an unreadable name', 'GET /health', 403, 'Host', { headers: { host: 'a b' } }],
    [
      'a web page',
      'POST /echo',
      403,
      'Origin',
      { headers: { origin: 'http://127.0.0.1:8080', ...JSON_TYPE } },
    ],
    ['a form', 'POST /echo', 415, 'application/json', { headers: { 'content-type': 'text/plain' } }],
    ['no type', 'POST /echo', 415, 'application/json', { headers: {} }],
    ['text that is not JSON', 'POST /echo', 400, 'not valid JSON', { body: '{' }],
    ['a body over 1 MiB', 'POST /echo', 413, 'body_sha256', { body: `"${'a'.repeat(1_100_000)}"` }],
    ['another method', 'PUT /echo', 405, 'Use POST /echo.', {}],
    ['another path', 'GET /', 404, 'GET /health, POST /echo', {}],
    ['a refusal of the handler', 'POST /refuse', 404, 'There is no payment 7.', {}],
    ['a failure of the handler', 'POST /fail', 500, 'do not send the payment: the journal is locked', {}],
  ])('refuses %s', async (...[, route, status, message, sent]) => {
    const response = await send(route, sent);
    expect(response.status).toBe(status);
    expect(response.error).toContain(message);
  });

  it('reports only unexpected failures to the operator', () => {
    expect(failures).toEqual([new Error('the journal is locked')]);
  });
});
