import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { formatRequest, sendRaw, type RawResponse } from '../support/raw-request.ts';
import { request } from '../support/site-request.ts';

/** Path of a watch that does not exist. */
const WATCH = `/v1/watch/w_${'a'.repeat(26)}`;
const SUMMARY = `${toEndpointPath('https://fxline.sandbox.test/v1/rates/latest')}.json`;
/**
 * One path of each kind: paid operation, watch, free operation, summary of an endpoint, page that is also available as
 * JSON, and document.
 */
const KNOWN = [
  ['/v1/x402-trust', 'POST, OPTIONS'],
  [WATCH, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['/v1/x402-trust-preview', 'GET, HEAD, POST, OPTIONS'],
  [SUMMARY, 'GET, HEAD, OPTIONS'],
  ['/trust/stats', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
] as const;
const LONG = 'a'.repeat(8 * 1024);

function expectProblem(response: RawResponse, expected: Readonly<Record<string, unknown>>): void {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const problem = JSON.parse(response.body) as { status: number; detail: string };
  expect(problem).toMatchObject({ type: 'about:blank', status: response.status, ...expected });
  expect(problem.detail.length).toBeGreaterThan(10);
}

it.each(KNOWN)(
  '%s responds to other methods with 405, and to OPTIONS for any origin',
  async (path, allow) => {
    const refused = await sendRaw(formatRequest('PUT', path));
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow]);
    expectProblem(refused, { code: 'method-not-allowed', instance: path });
    const preflight = await sendRaw(formatRequest('OPTIONS', path, ['Origin: https://other.example']));
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, allow]);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
    const head = await sendRaw(formatRequest('HEAD', path));
    // A watch can be read only with its secret.
    const allowedStatus = path.startsWith(WATCH) ? 401 : 200;
    expect([head.status, head.body]).toEqual([allow.includes('HEAD') ? allowedStatus : 405, '']);
  },
);

it.each([
  ...['/v1', '/v1/x402-trust/more', '/v1/x402-trust-bulk-20', `${WATCH}/attempts`],
  ...['/api/unknown', '/schemas/none.json'],
])('%s is unknown to the API, which responds with a problem and no page', async (path) => {
  const response = await sendRaw(formatRequest('GET', path));
  expectProblem(response, { status: 404, instance: path });
});

it.each([
  ['a truncated UTF-8 sequence', '/v1/%E0%A4%A'],
  ['invalid UTF-8', '/schemas/%ff'],
  ['NUL', '/v1/%00'],
  ['control characters', '/v1/%01%0d%0aSet-Cookie:%20a=b'],
  ['8 KB', `/v1/${LONG}`],
  ['a query of 8 KB', `/v1/x402-nothing?${LONG}`],
  ['a path traversal', '/v1/..%2f..%2f..%2fetc%2fpasswd'],
  ['a prototype property', '/schemas/__proto__/constructor'],
  ['markup', '/v1/%3Cscript%3Ealert(1)%3C/script%3E'],
])('a path with %s is refused without internal details', async (_, target) => {
  const response = await sendRaw(formatRequest('GET', target));
  expect([400, 404]).toContain(response.status);
  expectProblem(response, {});
  expect(response.body).not.toMatch(/node_modules|at \w+ \(|Error:/);
  expect(response.headers.has('set-cookie')).toBe(false);
});

it('malformed requests get a 4xx response', async () => {
  const lines = [
    Buffer.from('GET /v1/é中 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    Buffer.from('GET /v1/a\x01b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 'latin1'),
    formatRequest('OPTIONS', '*'),
    formatRequest('GET', '*'),
    formatRequest('GET', 'http://[::bad/'),
    formatRequest('GET', 'http://other.example/v1/x402-nothing'),
    formatRequest('TRACE', '/'),
    formatRequest('PROPFIND', '/endpoint/x'),
    formatRequest('GET', '/endpoint/%E0%A4%A'),
    formatRequest('POST', '/trust/leaderboard', ['Accept: text/html', 'Content-Length: 0']),
    formatRequest('GET', `/${'b'.repeat(20 * 1024)}`),
    'FOO /v1/x402-trust HTTP/1.1\r\n\r\n',
  ];
  for (const line of lines) {
    const response = await sendRaw(line);
    expect([String(line).slice(0, 40), response.status >= 400 && response.status < 500]).toEqual([
      String(line).slice(0, 40),
      true,
    ]);
    expect(response.body).not.toMatch(/node_modules|at \w+ \(/);
  }
  const absoluteForm = await sendRaw(formatRequest('GET', 'http://localhost/v1/x402-nothing'));
  expectProblem(absoluteForm, { status: 404, instance: '/v1/x402-nothing' });
});

it('too large, malformed and other bodies are handled without a charge', async () => {
  const post = (path: string, body: BodyInit, type = 'text/plain') =>
    request(path, { method: 'POST', body, headers: { 'content-type': type } });
  const megabyte = 'x'.repeat(1024 * 1024);
  const stream = { method: 'POST', body: new Blob([megabyte]).stream(), duplex: 'half' } as RequestInit;
  for (const large of [
    await post('/v1/x402-trust-preview', megabyte),
    await request('/v1/x402-trust-preview', stream),
  ])
    expect(await large.json()).toMatchObject({ status: 413, code: 'body-too-large' });
  for (const body of ['{', '\u0000', '[]', '{"a":1}'])
    expect((await post('/v1/x402-trust-preview', body)).status).toBe(200);
  // A request without a payment gets 402, even if its body is invalid. Public directories of endpoints test an endpoint
  // without a valid body.
  for (const path of ['/v1/x402-trust', '/v1/semantic-search', '/v1/watch-endpoint-30d', `${WATCH}/renew`]) {
    for (const body of ['{', megabyte, '']) {
      const response = await post(path, body, 'text/html');
      expect([response.status, response.headers.has('payment-required')]).toEqual([402, true]);
    }
  }
});

it('the rate limit applies per IP address regardless of X-Forwarded-For', async ({ skip }) => {
  // The test needs additional local addresses. Only Linux accepts every address of 127.0.0.0/8 as local.
  skip(process.platform !== 'linux', 'needs further local addresses');
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const localAddress = `${network}.77`;
  const used: number[] = [];
  for (const [client, from] of [localAddress, localAddress, localAddress, `${network}.78`].entries()) {
    // Memory never serves this path without `Accept: text/html`. The rate limit does not apply to responses from memory.
    const headers = [`X-Forwarded-For: 203.0.113.${client}`];
    const response = await sendRaw(formatRequest('GET', '/trust/stats', headers), {
      localAddress: from,
    });
    const [, limit] = /^"free";q=(\d+);w=\d+$/.exec(response.headers.get('ratelimit-policy') ?? '') ?? [];
    const [, left] = /^"free";r=(\d+);t=\d+$/.exec(response.headers.get('ratelimit') ?? '') ?? [];
    used.push(Number(limit) - Number(left));
  }
  // The last request is from another address. The limit of that address is unused.
  expect(used).toEqual([1, 2, 3, 1]);
  // HTML pages are not limited.
  const page = await sendRaw(formatRequest('GET', '/trust/stats', ['Accept: text/html']), { localAddress });
  expect([page.status, page.headers.has('ratelimit')]).toEqual([200, false]);
});
