import { text } from 'node:stream/consumers';
import type { SecureContext } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProber } from './create-prober.ts';
import { createAuthority } from './testing/certificates.ts';
import { createTestProber, createLocalResolver, probeServer, runEventLoop } from './testing/prober.ts';
import { serve, type RunningServer } from './testing/servers.ts';
import type { Outcome } from './outcome/classify-outcome.ts';
import type { Probe } from './types.ts';

afterEach(() => vi.useRealTimers());

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Starts a server that responds to each method with the given status, and records the requests. */
async function serveStatuses(
  statuses: Readonly<Record<string, number>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RunningServer & { readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const running = await serve((request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    void text(request).then((body) => {
      requests.push({ method, url, headers: rawHeaders, body });
      response.writeHead(statuses[method] ?? 501, headers).end(`response to ${method}`);
    });
  });
  return { ...running, requests };
}

const url = 'http://endpoint.example/a/b?c=d&e';

describe('the request', () => {
  it('is unpaid, names the user agent and is sent to the host of the URL', async () => {
    await using server = await serveStatuses({ GET: 402 });
    const probe = await probeServer(server, {}, url);
    expect(probe).toMatchObject({
      url,
      method: 'GET',
      outcome: 'challenged',
      httpStatus: 402,
      failure: null,
    });
    expect(probe).toMatchObject({
      body: 'response to GET',
      bodyEnd: 'complete',
      remoteAddress: '127.0.0.1',
    });
    expect(server.requests).toEqual([
      {
        method: 'GET',
        url: '/a/b?c=d&e',
        headers: [
          ...['Host', 'endpoint.example', 'User-Agent', 'Touchstone-test/1.0'],
          ...['Accept', '*/*', 'Accept-Encoding', 'gzip, br, deflate'],
          ...['Connection', 'close'],
        ],
        body: '',
      },
    ]);
  });

  it('has an empty JSON object as body when the method is POST', async () => {
    await using server = await serveStatuses({ POST: 402 });
    const probe = await createTestProber(server.port)({ url, methods: ['post'] });
    expect(probe).toMatchObject({ method: 'POST', outcome: 'challenged' });
    expect(server.requests).toMatchObject([{ method: 'POST', body: '{}' }]);
    expect(server.requests[0]?.headers).toEqual(
      expect.arrayContaining(['application/json', 'Content-Length', '2']),
    );
  });

  it('includes a non-default port in Host', async () => {
    await using server = await serveStatuses({ GET: 402 });
    await createTestProber(server.port)({ url: 'http://endpoint.example:8402/', methods: ['GET'] });
    expect(server.requests[0]?.headers.slice(0, 2)).toEqual(['Host', 'endpoint.example:8402']);
  });

  it('uses a new connection, also for the second method and the second probe', async () => {
    await using server = await serveStatuses({ GET: 405, POST: 402 });
    const prober = createTestProber(server.port);
    await prober({ url, methods: ['GET', 'POST'] });
    await prober({ url, methods: ['POST'] });
    expect(server.connections()).toBe(3);
  });

  it('reports header fields in order, with duplicates', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(402, ['X-B', '1', 'x-a', '2', 'X-B', '3']).end();
    });
    const probe = await probeServer(server, {}, url);
    expect(probe.headers.slice(0, 3)).toEqual([
      ['X-B', '1'],
      ['x-a', '2'],
      ['X-B', '3'],
    ]);
  });
});

describe('methods', () => {
  const cases: readonly (readonly [Readonly<Record<string, number>>, number, string, Outcome])[] = [
    [{ GET: 402, POST: 402 }, 1, 'GET', 'challenged'],
    [{ GET: 404, POST: 402 }, 2, 'POST', 'challenged'],
    [{ GET: 405, POST: 402 }, 2, 'POST', 'challenged'],
    [{ GET: 501, POST: 402 }, 2, 'POST', 'challenged'],
    ...[400, 406, 409, 410, 411, 412, 415, 422, 426, 428, 500].map(
      (status) => [{ GET: status, POST: 402 }, 2, 'POST', 'challenged'] as const,
    ),
    [{ GET: 200, POST: 402 }, 1, 'GET', 'free'],
    [{ GET: 503, POST: 402 }, 1, 'GET', 'server-error'],
    [{ GET: 500, POST: 404 }, 2, 'GET', 'server-error'],
    [{ GET: 500, POST: 403 }, 2, 'GET', 'server-error'],
    [{ GET: 500, POST: 400 }, 2, 'GET', 'server-error'],
    [{ GET: 429, POST: 402 }, 1, 'GET', 'blocked'],
    [{ GET: 410, POST: 410 }, 2, 'GET', 'not-found'],
    [{ GET: 406, POST: 404 }, 2, 'GET', 'client-error'],
    [{ GET: 405, POST: 405 }, 2, 'GET', 'method-mismatch'],
    [{ GET: 404, POST: 404 }, 2, 'GET', 'not-found'],
    [{ GET: 404, POST: 405 }, 2, 'POST', 'method-mismatch'],
    [{ GET: 405, POST: 404 }, 2, 'GET', 'method-mismatch'],
    [{ GET: 405, POST: 500 }, 2, 'POST', 'server-error'],
    [{ GET: 400, POST: 500 }, 2, 'GET', 'client-error'],
    [{ GET: 404, POST: 200 }, 2, 'POST', 'free'],
    [{ PUT: 404, GET: 404, POST: 402 }, 3, 'POST', 'challenged'],
  ];

  it.each(cases)('with statuses %j: %i are tried, and %s is reported as %s', async (...row) => {
    const [statuses, tried, method, outcome] = row;
    const methods = Object.keys(statuses);
    await using server = await serveStatuses(statuses);
    expect(await createTestProber(server.port)({ url, methods })).toMatchObject({ method, outcome });
    expect(server.requests.map((request) => request.method)).toEqual(methods.slice(0, tried));
  });

  it('default to GET when none of the given ones is supported', async () => {
    await using server = await serveStatuses({ GET: 402 });
    for (const methods of [[], ['HEAD', 'CONNECT', 'TRACE'], ['GET /\r\nX: y']]) {
      expect(await createTestProber(server.port)({ url, methods })).toMatchObject({
        method: 'GET',
        outcome: 'challenged',
      });
    }
  });

  it('are tried once each', async () => {
    await using server = await serveStatuses({});
    await createTestProber(server.port)({ url, methods: ['GET', 'get', 'GET'] });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, 'POST', 'challenged', 0],
    [5_001, 'GET', 'method-mismatch', 5_001],
  ])('are not tried after half of the time: after %i ms, %s is reported as %s', async (...row) => {
    const [ms, method, outcome, totalMs] = row;
    await using server = await serve((request, response) => {
      if (request.method === 'GET') vi.advanceTimersByTime(ms);
      response.writeHead(request.method === 'POST' ? 402 : 405).end();
    });
    const prober = createTestProber(server.port, { limits: { totalMs: 10_000 } });
    vi.useFakeTimers({ toFake: ['performance'] });
    // The timings cover only the reported request.
    expect(await prober({ url, methods: ['GET', 'POST'] })).toMatchObject({ method, outcome, totalMs });
  });

  it('are not tried after `Retry-After`', async () => {
    await using server = await serveStatuses({ GET: 404 }, { 'retry-after': '60' });
    await createTestProber(server.port)({ url, methods: ['GET', 'POST'] });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the declared method', () => {
  const cases: readonly (readonly [
    Readonly<Record<string, number>>,
    string | null,
    readonly string[],
    string,
    Probe['declaredMethod'],
  ])[] = [
    [{ GET: 402, POST: 402 }, 'post', ['GET', 'POST'], 'POST', null],
    [{ GET: 402, POST: 500 }, 'POST', ['GET', 'POST'], 'GET', { method: 'POST', status: 500 }],
    [{ GET: 402, PUT: 405 }, 'PUT', ['GET', 'PUT'], 'GET', { method: 'PUT', status: 405 }],
    [{ GET: 405, POST: 402 }, 'GET', ['GET', 'POST'], 'POST', { method: 'GET', status: 405 }],
    [{ GET: 402 }, 'GET', ['GET'], 'GET', null],
    [{ GET: 402 }, null, ['GET'], 'GET', null],
    [{ GET: 402 }, 'TRACE', ['GET'], 'GET', null],
    [{ GET: 503 }, 'POST', ['GET'], 'GET', null],
  ];

  it.each(cases)('with statuses %j and declared method %s: %j are requested', async (...row) => {
    const [statuses, declared, requested, method, declaredMethod] = row;
    await using server = await serveStatuses(statuses);
    const target = { url, methods: ['GET', 'POST'], readDeclaredMethod: () => declared };
    expect(await createTestProber(server.port)(target)).toMatchObject({ method, declaredMethod });
    expect(server.requests.map((request) => request.method)).toEqual(requested);
  });

  it('is not requested after half of the time', async () => {
    await using server = await serve((_, response) => {
      vi.advanceTimersByTime(5_001);
      response.writeHead(402).end();
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    const target = { url, methods: ['GET'], readDeclaredMethod: () => 'POST' };
    const probe = await createTestProber(server.port, { limits: { totalMs: 10_000 } })(target);
    expect(probe).toMatchObject({ method: 'GET', outcome: 'challenged', declaredMethod: null });
    expect(server.connections()).toBe(1);
  });
});

describe('invalid targets', () => {
  it.each([
    '',
    'endpoint.example',
    'ftp://endpoint.example/',
    'ws://endpoint.example/',
    'file:///etc/passwd',
    'http://endpoint.example:0/',
    'http://',
    'https://endpoint.example:99999/',
    'http://endpoint.example:6000/',
  ])('%j is a protocol error without a connection', async (target) => {
    await using server = await serveStatuses({ GET: 402 });
    const probe = await createTestProber(server.port)({ url: target, methods: ['GET'] });
    expect(probe).toMatchObject({ url: target, outcome: 'protocol-error', httpStatus: null, body: null });
    expect(server.connections()).toBe(0);
  });
});

describe('phases', () => {
  it('are all timed, add up to the total, and add up to the latency without the transfer', async () => {
    const authority = createAuthority();
    vi.useFakeTimers({ toFake: ['performance'] });
    const tls = {
      ...authority.issue(['endpoint.example']),
      SNICallback: (_: string, done: (error: Error | null, context?: SecureContext) => void) => {
        vi.advanceTimersByTime(30);
        done(null);
      },
    };
    await using server = await serve(
      (_, response) => {
        vi.advanceTimersByTime(80);
        response.writeHead(402).write('a');
        void runEventLoop().then(() => {
          vi.advanceTimersByTime(60);
          response.end('b');
        });
      },
      { tls },
    );
    const localResolver = createLocalResolver(server.port);
    const prober = createProber({
      userAgent: 'Touchstone-test/1.0',
      ca: [authority.cert],
      resolver: (host, signal) => {
        vi.advanceTimersByTime(40);
        return localResolver(host, signal);
      },
    });
    expect(await prober({ url: 'https://endpoint.example/', methods: ['GET'] })).toMatchObject({
      outcome: 'challenged',
      phases: { resolve: 40, connect: 0, tls: 30, processing: 80, transfer: 60 },
      latencyMs: 40 + 30 + 80,
      totalMs: 40 + 30 + 80 + 60,
    });
  });

  it('include no TLS handshake over plain HTTP', async () => {
    await using server = await serveStatuses({ GET: 402 });
    const { phases } = await probeServer(server, {}, url);
    expect(phases.tls).toBeNull();
    expect(phases.transfer).toBeGreaterThanOrEqual(0);
  });
});

it.each([
  ['a user agent that would inject header fields', { userAgent: 'a\r\nX-Forged: b' }, TypeError],
  ['a malformed certificate', { ca: ['not a certificate'] }, Error],
])('createProber throws for %s', (_, options, error) => {
  expect(() => createTestProber(1, options)).toThrow(error);
});
