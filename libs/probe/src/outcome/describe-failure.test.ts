import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { createTestProber } from '../testing/prober.ts';
import { serve, serveTcp, serveText } from '../testing/servers.ts';
import type { RunningServer, ServerOptions } from '../testing/servers.ts';
import type { Outcome, Phase, Probe } from '../types.ts';
import { classifyUptime } from './classify-uptime.ts';
import { describeFailure } from './describe-failure.ts';

const authority = createAuthority();
const url = 'http://endpoint.example/a';
const secureUrl = 'https://endpoint.example/a';

async function probeServer(server: RunningServer, target = url): Promise<Probe> {
  const limits = { firstByteMs: 1_000, totalMs: 60_000 };
  const prober = createTestProber(server.port, { ca: [authority.cert], limits });
  return prober({ url: target, methods: ['GET'] });
}

async function describeTls(tls: ServerOptions['tls']) {
  let requests = 0;
  await using server = await serve(
    (_, response) => {
      requests += 1;
      response.writeHead(402).end();
    },
    { ...(tls === undefined ? {} : { tls }) },
  );
  const description = describeFailure(await probeServer(server, secureUrl));
  expect(requests).toBe(0);
  return description;
}

function createProbe(change: Partial<Probe>): Probe {
  return {
    url: secureUrl,
    method: 'GET',
    outcome: 'timeout',
    httpStatus: null,
    phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
    latencyMs: null,
    totalMs: 10_000,
    headers: [],
    body: null,
    bodyTruncated: false,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: null,
    ...change,
  };
}

describe('describeFailure of a response', () => {
  it.each([
    [404, 'http-404', 'HTTP 404 Not Found.'],
    [405, 'http-405', 'HTTP 405 Method Not Allowed.'],
    [410, 'http-410', 'HTTP 410 Gone.'],
    [403, 'http-403', 'HTTP 403 Forbidden.'],
    [429, 'http-429', 'HTTP 429 Too Many Requests.'],
    [500, 'http-500', 'HTTP 500 Internal Server Error.'],
    [599, 'http-599', 'HTTP 599.'],
    [777, 'invalid-response', 'The response has the status 777, which HTTP does not define.'],
  ])('names the status %i, never the reason phrase of the server', async (status, error, detail) => {
    await using server = await serve((_, response) => void response.writeHead(status, 'Injected').end());
    expect(describeFailure(await probeServer(server))).toEqual({ phase: 'response', error, detail });
  });

  it.each([200, 402])('returns null for the status %i', async (status) => {
    await using server = await serve((_, response) => void response.writeHead(status).end());
    expect(describeFailure(await probeServer(server))).toBeNull();
  });

  it.each([
    ['https://new.example/path', 'The endpoint redirects to https://new.example/path (HTTP 308).'],
    ['/b?c=d', 'The endpoint redirects to http://endpoint.example/b?c=d (HTTP 308).'],
    ['https://user:secret@new.example/', 'The endpoint redirects to https://new.example/ (HTTP 308).'],
    ['javascript:alert(1)', 'The endpoint redirects without a valid target (HTTP 308).'],
    ['https://', 'The endpoint redirects without a valid target (HTTP 308).'],
    [
      `/${'x'.repeat(500)}`,
      `The endpoint redirects to ${`${url}${'x'.repeat(500)}`.replace('/a', '/').slice(0, 200)}… (HTTP 308).`,
    ],
  ])('names the target of a redirect to %s', async (location, detail) => {
    await using server = await serve((_, response) => void response.writeHead(308, { location }).end());
    expect(describeFailure(await probeServer(server))).toEqual({
      phase: 'response',
      error: 'redirect',
      detail,
    });
  });

  it('reports headers that are too large, invalid HTTP and an early end', async () => {
    await using large = await serveText(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`);
    expect(describeFailure(await probeServer(large))).toMatchObject({ error: 'headers-too-large' });
    await using invalid = await serveText('SSH-2.0-server\r\n');
    expect(describeFailure(await probeServer(invalid))).toMatchObject({ error: 'invalid-response' });
    await using short = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 402 Payment Required\r\nContent-Length: 9\r\n\r\na')),
    );
    expect(describeFailure(await probeServer(short))).toEqual({
      phase: 'transfer',
      error: 'connection-reset',
      detail: 'The server closed the connection before the end of the response.',
    });
  });
});

describe('describeFailure of a connection', () => {
  it('reports a refused connection, a closed connection and a timeout with its limit', async () => {
    const stopped = await serve(() => undefined);
    await stopped[Symbol.asyncDispose]();
    expect(describeFailure(await probeServer(stopped))).toEqual({
      phase: 'connect',
      error: 'connection-refused',
      detail: 'The connection was refused.',
    });
    await using closing = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    expect(describeFailure(await probeServer(closing))).toEqual({
      phase: 'processing',
      error: 'connection-reset',
      detail: 'The server closed the connection before it sent a response.',
    });
    await using silent = await serveTcp((socket) => void socket.resume());
    expect(describeFailure(await probeServer(silent))).toEqual({
      phase: 'processing',
      error: 'timeout',
      detail: 'No response within 1 second.',
    });
  });

  it('reports a host name without a public address, and one that does not resolve', async () => {
    const target = { url, methods: ['GET'] };
    const refused = createTestProber(1, {
      resolver: () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]),
    });
    expect(describeFailure(await refused(target))).toMatchObject({
      phase: 'resolve',
      error: 'address-not-public',
    });
    const unknown = createTestProber(1, {
      resolver: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    });
    expect(describeFailure(await unknown(target))).toEqual({
      phase: 'resolve',
      error: 'dns-not-found',
      detail: 'The host name does not resolve.',
    });
  });

  it('returns null for a failure of this machine', () => {
    const failure = { phase: 'connect', code: 'ENETUNREACH', message: 'no route' } as const;
    expect(describeFailure(createProbe({ outcome: 'self-failure', failure }))).toBeNull();
  });
});

describe('describeFailure of a TLS handshake', () => {
  it('has the day on which the certificate expired', async () => {
    expect(await describeTls(authority.issue(['endpoint.example'], { expired: true }))).toEqual({
      phase: 'tls',
      error: 'tls-certificate-expired',
      detail: 'TLS certificate expired on 2021-01-01.',
    });
  });

  it('has the day on which the certificate becomes valid', async () => {
    expect(await describeTls(authority.issue(['endpoint.example'], { notYetValid: true }))).toEqual({
      phase: 'tls',
      error: 'tls-certificate-not-yet-valid',
      detail: 'The TLS certificate becomes valid on 2098-01-01.',
    });
  });

  it.each([
    [['b.example'], 'The TLS certificate is valid for b.example, not for endpoint.example.'],
    [
      ['*.b.example', '127.0.0.1', 'c.example'],
      'The TLS certificate is valid for *.b.example and 2 other names, not for endpoint.example.',
    ],
    [
      ['b.example\u001b[31m, DNS:endpoint.example'],
      'The TLS certificate is valid for ?b.example?u001b?31m?u002c?DNS:endpoint.example?, not for endpoint.example.',
    ],
    [[], 'The TLS certificate is not valid for endpoint.example.'],
  ])('has the names of a certificate for %j', async (names, detail) => {
    expect(await describeTls(authority.issue(names))).toEqual({
      phase: 'tls',
      error: 'tls-hostname-mismatch',
      detail,
    });
  });

  it('reports an untrusted certificate and a server without TLS', async () => {
    expect(await describeTls(createAuthority('Untrusted').issue(['endpoint.example']))).toMatchObject({
      error: 'tls-certificate-untrusted',
    });
    expect(await describeTls(undefined)).toMatchObject({ phase: 'tls', error: 'tls-error' });
  });
});

it('has the reason of an OpenSSL message without its source location', () => {
  const message =
    'write EPROTO 80CB:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number 40\n';
  const failure = { phase: 'tls', code: 'EPROTO', message } as const;
  expect(describeFailure(createProbe({ outcome: 'tls-error', failure }))?.detail).toBe(
    'The TLS handshake failed: ssl/tls alert handshake failure (EPROTO).',
  );
});

const outcomes: readonly Outcome[] = [
  ...(['challenged', 'free', 'other-gate', 'blocked', 'method-mismatch', 'redirected', 'not-found'] as const),
  ...(['client-error', 'server-error', 'timeout', 'dns-error', 'tls-error', 'connect-error'] as const),
  ...(['protocol-error', 'refused-address', 'self-failure'] as const),
];
const phases: readonly Phase[] = ['resolve', 'connect', 'tls', 'processing', 'transfer'];

it('returns a slug and one printable sentence for every failed probe', () => {
  const code = fc.constantFrom(
    'ENOTFOUND',
    'ECONNRESET',
    'CERT_HAS_EXPIRED',
    'EPROTO',
    'HPE_HEADER_OVERFLOW',
  );
  const failure = fc.record({
    phase: fc.constantFrom(...phases),
    code,
    message: fc.string({ unit: 'binary' }),
  });
  const probes = fc.record({
    outcome: fc.constantFrom(...outcomes),
    httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
    failure: fc.option(failure),
    headers: fc.array(fc.tuple(fc.constant('location'), fc.string({ unit: 'binary', maxLength: 600 }))),
  });
  fc.assert(
    fc.property(probes, (change) => {
      const description = describeFailure(createProbe(change));
      const isReported = classifyUptime(change.outcome) !== 'up' && change.outcome !== 'self-failure';
      expect(description !== null).toBe(isReported);
      if (description === null) return;
      expect(description.error).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(description.detail).toMatch(/^[A-Z][ -~…]{5,298}\.$/);
    }),
  );
});
