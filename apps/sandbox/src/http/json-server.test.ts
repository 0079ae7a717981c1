import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJsonServer, respondJson } from './json-server.ts';
import { listenOnLoopback, LOOPBACK } from './loopback.ts';

const server = createJsonServer((received) =>
  respondJson(200, { ...received, query: received.query.toString() }),
);
let port = 0;
beforeAll(async () => (port = await listenOnLoopback(server, 'PORT', 0)));
afterAll(() => server.close());

function send(path: string, init?: RequestInit) {
  return fetch(`http://${LOOPBACK}:${port}${path}`, init);
}

test('passes the request to the handler', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
  const response = await send('/a/b?c=d', { method: 'PUT', headers, body: '{"e":1}' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({
    method: 'PUT',
    path: '/a/b',
    query: 'c=d',
    mediaType: 'application/json',
    body: '{"e":1}',
  });
});

test('keeps the idle connection of a busy client', async () => {
  expect((await send('/')).headers.get('keep-alive')).toBe('timeout=60');
});

test('rejects a body over the limit', async () => {
  expect((await send('/', { method: 'PUT', body: 'x'.repeat(16_385) })).status).toBe(413);
});

test('rejects a request with another host name', async () => {
  const status = await new Promise((resolve, reject) => {
    const outgoing = request(
      { host: LOOPBACK, port, path: '/', headers: { host: 'page.example' } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
  expect(status).toBe(403);
});
