import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJsonServer, jsonOf } from './json-server.ts';
import { listenOnLoopback, LOOPBACK } from './loopback.ts';

const server = createJsonServer((asked) => jsonOf(200, { ...asked, query: asked.query.toString() }));
let port = 0;
beforeAll(async () => (port = await listenOnLoopback(server, 'PORT', 0)));
afterAll(() => server.close());

const fetched = (path: string, init?: RequestInit) => fetch(`http://${LOOPBACK}:${port}${path}`, init);

test('the handler gets what was asked', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
  const response = await fetched('/a/b?c=d', { method: 'PUT', headers, body: '{"e":1}' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({
    method: 'PUT',
    path: '/a/b',
    query: 'c=d',
    mediaType: 'application/json',
    body: '{"e":1}',
  });
});

test('a body beyond the limit is refused', async () => {
  expect((await fetched('/', { method: 'PUT', body: 'x'.repeat(16_385) })).status).toBe(413);
});

test('a request under a foreign host name is refused', async () => {
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
