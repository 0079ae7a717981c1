import { requestOf, sendRaw, type RawAnswer } from '../support/raw.ts';
import { expect, test } from '../support/shared-service.ts';

const KNOWN = [
  ['/v1/x402-trust', 'POST, OPTIONS'],
  ['/v1/x402-history', 'POST, OPTIONS'],
  ['/v1/x402-trust-preview', 'GET, HEAD, POST, OPTIONS'],
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

function expectProblem(answer: RawAnswer, expected: Readonly<Record<string, unknown>>): void {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const problem = JSON.parse(answer.body) as { status: number; detail: string };
  expect(problem).toMatchObject({ type: 'about:blank', status: answer.status, ...expected });
  expect(problem.detail.length).toBeGreaterThan(10);
}

for (const [path, allow] of KNOWN) {
  test(`${path} says what it allows to every method that it does not know`, async () => {
    const known = allow.split(', ');
    for (const method of METHODS.filter((other) => !known.includes(other))) {
      const answer = await sendRaw(requestOf(method, path));
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')).toBe(allow);
      expectProblem(answer, { code: 'method-not-allowed', instance: path });
    }
  });

  test(`${path} may be asked by pages of other origins, and HEAD has no body`, async () => {
    const preflight = await sendRaw(requestOf('OPTIONS', path, ['Origin: https://other.example']));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('allow')).toBe(allow);
    expect(preflight.headers.get('access-control-allow-methods')).toBe(allow);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
    const head = await sendRaw(requestOf('HEAD', path));
    expect(head.status).toBe(allow.includes('HEAD') ? 200 : 405);
    expect(head.body).toBe('');
  });
}

test('paths below the API that are none are problems, not pages', async () => {
  for (const path of [
    '/v1',
    '/v1/x402',
    '/v1/x402-trust/more',
    '/api/unknown',
    '/schemas/none.json',
    '/.well-known/other',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await sendRaw(requestOf(method, path));
      expect([path, method, answer.status]).toEqual([
        path,
        method,
        path.startsWith('/schemas') && method !== 'GET' ? 405 : 404,
      ]);
      expectProblem(answer, { instance: path });
    }
  }
});

for (const [name, target] of [
  ['half a character', '/v1/%E0%A4%A'],
  ['bytes that are no UTF-8', '/schemas/%ff'],
  ['a bare percent sign', '/v1/%'],
  ['NUL', '/v1/%00'],
  ['control characters', '/v1/%01%0d%0aSet-Cookie:%20a=b'],
  ['unicode', '/v1/%E4%B8%AD%F0%9F%98%80%E2%80%AE'],
  ['8 KB', `/v1/${LONG}`],
  ['a query of 8 KB', `/v1/x402-nothing?${LONG}`],
  ['steps upward', '/v1/..%2f..%2f..%2fetc%2fpasswd'],
  ['a prototype', '/schemas/__proto__/constructor'],
  ['markup', '/v1/%3Cscript%3Ealert(1)%3C/script%3E'],
] as const) {
  test(`a path with ${name} is refused without a trace of what is inside`, async () => {
    for (const method of ['GET', 'POST', 'TRACE']) {
      const answer = await sendRaw(requestOf(method, target));
      expect([400, 404, 405]).toContain(answer.status);
      expectProblem(answer, {});
      expect(answer.body).not.toMatch(/node_modules|at \w+ \(|Error:/);
      expect(answer.headers.has('set-cookie')).toBe(false);
    }
  });
}

test('whatever else comes over the wire is no failure of the service', async () => {
  const lines = [
    Buffer.from('GET /v1/é中 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    Buffer.from('GET /v1/a\x01b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 'latin1'),
    requestOf('OPTIONS', '*'),
    requestOf('GET', '*'),
    requestOf('GET', 'http://[::bad/'),
    requestOf('TRACE', '/'),
    requestOf('PROPFIND', '/endpoint/x'),
    requestOf('GET', '/endpoint/%E0%A4%A'),
    requestOf('POST', '/trust/leaderboard', ['Accept: text/html', 'Content-Length: 0']),
    requestOf('GET', `/${'b'.repeat(20 * 1024)}`),
    'FOO /v1/x402-trust HTTP/1.1\r\n\r\n',
  ];
  for (const line of lines) {
    const answer = await sendRaw(line);
    expect([String(line).slice(0, 40), answer.status >= 400 && answer.status < 500]).toEqual([
      String(line).slice(0, 40),
      true,
    ]);
    expect(answer.body).not.toMatch(/node_modules|at \w+ \(/);
  }
  const whole = await sendRaw(requestOf('GET', 'http://other.example/v1/x402-nothing'));
  expectProblem(whole, { status: 404, instance: '/v1/x402-nothing' });
});

test('bodies that are too large, malformed or of another kind cost nothing and break nothing', async () => {
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
  // Whatever comes without a payment is asked for one, since directories look that way.
  for (const body of ['{', megabyte, '']) {
    for (const path of ['/v1/x402-trust', '/v1/x402-history']) {
      const answer = await post(path, body, { 'content-type': 'text/html' });
      expect(answer.status).toBe(402);
      expect(answer.headers.get('payment-required')).toBeTruthy();
    }
  }
});

test('a payment that cannot be decoded is an error that charged nothing', async () => {
  for (const header of ['garbage', '%%%', 'e30=', Buffer.from('{"x402Version":1}').toString('base64')]) {
    const answer = await sendRaw(
      requestOf('POST', '/v1/x402-trust', [`PAYMENT-SIGNATURE: ${header}`, 'Content-Length: 0']),
    );
    expect(answer.status).toBe(400);
    expectProblem(answer, { code: 'invalid-payment', notCharged: true, instance: '/v1/x402-trust' });
  }
});

test('one address is answered so often and no oftener, whatever it writes into its headers', async () => {
  // Every address of 127.0.0.0/8 is this machine on Linux alone.
  test.skip(process.platform !== 'linux', 'needs a second address of this machine');
  const localAddress = '127.0.0.77';
  const ask = (count: number) =>
    sendRaw(requestOf('GET', '/trust/stats', [`X-Forwarded-For: 203.0.113.${count % 256}`]), {
      localAddress,
    });
  const first = await ask(0);
  const [, limit = ''] = /^"free";q=(\d+);w=60$/.exec(first.headers.get('ratelimit-policy') ?? '') ?? [];
  expect(first.headers.get('ratelimit')).toMatch(new RegExp(`^"free";r=${Number(limit) - 1};t=\\d+$`));
  for (let count = 1; count < Number(limit); count += 1) expect((await ask(count)).status).toBe(200);
  const refused = await ask(1);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expectProblem(refused, { code: 'rate-limited', instance: '/trust/stats' });
  // Pages are for everybody, and so is what others ask.
  const page = await sendRaw(requestOf('GET', '/trust/stats', ['Accept: text/html']), { localAddress });
  expect(page.status).toBe(200);
  expect((await sendRaw(requestOf('GET', '/trust/stats'))).status).toBe(200);
});
