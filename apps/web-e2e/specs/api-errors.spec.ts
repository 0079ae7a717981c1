import { toEndpointPath } from '../support/endpoint-path.ts';
import { formatRequest, sendRaw, type RawResponse } from '../support/raw-request.ts';
import { expect, test } from '../support/shared-service.ts';

/** Path of a watch that does not exist. */
const WATCH = `/v1/watch/w_${'a'.repeat(26)}`;
const SUMMARY = `${toEndpointPath('https://fxline.sandbox.test/v1/rates/latest')}.json`;
const KNOWN = [
  ['/v1/x402-trust', 'POST, OPTIONS'],
  ['/v1/x402-history', 'POST, OPTIONS'],
  ['/v1/semantic-search', 'POST, OPTIONS'],
  ['/v1/similar', 'POST, OPTIONS'],
  ['/v1/x402-trust-bulk-10', 'POST, OPTIONS'],
  ['/v1/x402-trust-bulk-500', 'POST, OPTIONS'],
  ['/v1/watch-endpoint-30d', 'POST, OPTIONS'],
  [`${WATCH}/renew`, 'POST, OPTIONS'],
  [`${WATCH}/events`, 'GET, HEAD, OPTIONS'],
  [WATCH, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['/v1/x402-trust-preview', 'GET, HEAD, POST, OPTIONS'],
  [SUMMARY, 'GET, HEAD, OPTIONS'],
  ['/trust/leaderboard', 'GET, HEAD, OPTIONS'],
  ['/trust/stats', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/llms.txt', 'GET, HEAD, OPTIONS'],
  ['/.well-known/x402', 'GET, HEAD, OPTIONS'],
  ['/.well-known/touchstone-keys.json', 'GET, HEAD, OPTIONS'],
  ['/schemas/x402-trust/1.0.0.json', 'GET, HEAD, OPTIONS'],
] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'];
const LONG = 'a'.repeat(8 * 1024);

function expectProblem(response: RawResponse, expected: Readonly<Record<string, unknown>>): void {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const problem = JSON.parse(response.body) as { status: number; detail: string };
  expect(problem).toMatchObject({ type: 'about:blank', status: response.status, ...expected });
  expect(problem.detail.length).toBeGreaterThan(10);
}

for (const [path, allow] of KNOWN) {
  test(`${path} responds to every other method with 405 and Allow`, async () => {
    const allowed = allow.split(', ');
    for (const method of METHODS.filter((other) => !allowed.includes(other))) {
      const response = await sendRaw(formatRequest(method, path));
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get('allow')).toBe(allow);
      expectProblem(response, { code: 'method-not-allowed', instance: path });
    }
  });

  test(`${path} allows requests from other origins, and HEAD has no body`, async () => {
    const preflight = await sendRaw(formatRequest('OPTIONS', path, ['Origin: https://other.example']));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('allow')).toBe(allow);
    expect(preflight.headers.get('access-control-allow-methods')).toBe(allow);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
    const head = await sendRaw(formatRequest('HEAD', path));
    // A watch can be read only with its secret.
    const allowedStatus = path.startsWith(WATCH) ? 401 : 200;
    expect(head.status).toBe(allow.includes('HEAD') ? allowedStatus : 405);
    expect(head.body).toBe('');
  });
}

test('unknown API paths return problem documents, not pages', async () => {
  for (const path of [
    '/v1',
    '/v1/x402',
    '/v1/x402-trust/more',
    '/v1/watch',
    `${WATCH}/attempts`,
    '/api/unknown',
    '/schemas/none.json',
    '/.well-known/other',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await sendRaw(formatRequest(method, path));
      expect([path, method, response.status]).toEqual([
        path,
        method,
        path.startsWith('/schemas') && method !== 'GET' ? 405 : 404,
      ]);
      expectProblem(response, { instance: path });
    }
  }
});

for (const [name, target] of [
  ['a truncated UTF-8 sequence', '/v1/%E0%A4%A'],
  ['invalid UTF-8', '/schemas/%ff'],
  ['a bare percent sign', '/v1/%'],
  ['NUL', '/v1/%00'],
  ['control characters', '/v1/%01%0d%0aSet-Cookie:%20a=b'],
  ['unicode', '/v1/%E4%B8%AD%F0%9F%98%80%E2%80%AE'],
  ['8 KB', `/v1/${LONG}`],
  ['a query of 8 KB', `/v1/x402-nothing?${LONG}`],
  ['a path traversal', '/v1/..%2f..%2f..%2fetc%2fpasswd'],
  ['a prototype property', '/schemas/__proto__/constructor'],
  ['markup', '/v1/%3Cscript%3Ealert(1)%3C/script%3E'],
] as const) {
  test(`a path with ${name} is refused without internal details`, async () => {
    for (const method of ['GET', 'POST', 'TRACE']) {
      const response = await sendRaw(formatRequest(method, target));
      expect([400, 404, 405]).toContain(response.status);
      expectProblem(response, {});
      expect(response.body).not.toMatch(/node_modules|at \w+ \(|Error:/);
      expect(response.headers.has('set-cookie')).toBe(false);
    }
  });
}

test('malformed requests get a 4xx response', async () => {
  const lines = [
    Buffer.from('GET /v1/é中 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    Buffer.from('GET /v1/a\x01b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 'latin1'),
    formatRequest('OPTIONS', '*'),
    formatRequest('GET', '*'),
    formatRequest('GET', 'http://[::bad/'),
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
  const absoluteForm = await sendRaw(formatRequest('GET', 'http://other.example/v1/x402-nothing'));
  expectProblem(absoluteForm, { status: 404, instance: '/v1/x402-nothing' });
});

test('too large, malformed and other bodies are handled without a charge', async () => {
  const url = process.env['TOUCHSTONE_URL'] ?? '';
  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', body, headers });
  const megabyte = 'x'.repeat(1024 * 1024);
  const large = await post('/v1/x402-trust-preview', megabyte);
  expect(await large.json()).toMatchObject({ status: 413, code: 'body-too-large' });
  const stream = await fetch(`${url}/v1/x402-trust-preview`, {
    method: 'POST',
    body: new Blob([megabyte]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(await stream.json()).toMatchObject({ status: 413, code: 'body-too-large' });
  for (const body of ['{', 'no json', '\u0000', '[]', '{"a":1}']) {
    expect((await post('/v1/x402-trust-preview', body, { 'content-type': 'text/plain' })).status).toBe(200);
  }
  // Every request without a payment gets 402, even if its body is invalid, because public directories of endpoints test
  // an endpoint without a valid body.
  for (const body of ['{', megabyte, '']) {
    for (const path of [
      ...['/v1/x402-trust', '/v1/x402-history', '/v1/semantic-search', '/v1/similar'],
      ...['/v1/watch-endpoint-30d', `${WATCH}/renew`],
    ]) {
      const response = await post(path, body, { 'content-type': 'text/html' });
      expect(response.status).toBe(402);
      expect(response.headers.get('payment-required')).toBeTruthy();
    }
  }
});

test('an undecodable payment gets an error with notCharged', async () => {
  for (const header of ['garbage', '%%%', 'e30=', Buffer.from('{"x402Version":1}').toString('base64')]) {
    const response = await sendRaw(
      formatRequest('POST', '/v1/x402-trust', [`PAYMENT-SIGNATURE: ${header}`, 'Content-Length: 0']),
    );
    expect(response.status).toBe(400);
    expectProblem(response, { code: 'invalid-payment', notCharged: true, instance: '/v1/x402-trust' });
  }
});

test('the rate limit applies per IP address regardless of X-Forwarded-For', async ({}, { retry }) => {
  // The test needs a second local address. Only Linux accepts every address of 127.0.0.0/8 as local.
  test.skip(process.platform !== 'linux', 'needs a second local address');
  // A retry uses another address, because the first attempt has used the window of its address.
  const localAddress = `127.0.0.${77 + retry}`;
  const send = (count: number) =>
    // A request without a query would get its response from memory, which is not limited.
    sendRaw(formatRequest('GET', '/trust/stats?counted', [`X-Forwarded-For: 203.0.113.${count % 256}`]), {
      localAddress,
    });
  // On a busy machine, the counter of the service can take longer than its time limit. The service then allows the
  // request, and further requests for five seconds, without counting them and without these headers.
  const remaining: number[] = [];
  let limit = 0;
  let response = await send(0);
  for (let sent = 1; response.status === 200; sent += 1) {
    const [, quota] = /^"free";q=(\d+);w=60$/.exec(response.headers.get('ratelimit-policy') ?? '') ?? [];
    const [, left] = /^"free";r=(\d+);t=\d+$/.exec(response.headers.get('ratelimit') ?? '') ?? [];
    limit = Math.max(limit, Number(quota ?? 0));
    if (left !== undefined) remaining.push(Number(left));
    response = await send(sent);
  }
  // Each counted request leaves less than the one before it, so all of them were counted in the same window.
  expect(limit).toBeGreaterThan(0);
  expect(remaining.length).toBeGreaterThan(0);
  expect(remaining).toEqual([...new Set(remaining)].toSorted((one, other) => other - one));
  expect(Math.max(...remaining)).toBeLessThan(limit);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expectProblem(response, { code: 'rate-limited', instance: '/trust/stats' });
  // HTML pages are not limited, and every other IP address has its own limit.
  const page = await sendRaw(formatRequest('GET', '/trust/stats', ['Accept: text/html']), { localAddress });
  expect(page.status).toBe(200);
  expect((await sendRaw(formatRequest('GET', '/trust/stats'))).status).toBe(200);
});
