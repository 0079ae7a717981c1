import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { probeServer } from '../testing/prober.ts';
import { serve, serveText, type ServerOptions } from '../testing/servers.ts';
import type { Phase, Probe } from '../types.ts';
import { classifyUptime, type Outcome } from './classify-outcome.ts';
import { describeFailure } from './describe-failure.ts';

const authority = createAuthority();
const url = 'https://endpoint.example/a';

/** Response of a server to which TLS 1.1 is the newest version (RFC 4346, section 7.4.1.3). */
const TLS_1_1_SERVER_HELLO = Buffer.from(`160302002a020000260302${'11'.repeat(32)}00002f00`, 'hex');

async function describeTls(tls: ServerOptions['tls']) {
  let requests = 0;
  await using server = await serve(
    (_, response) => {
      requests += 1;
      response.writeHead(402).end();
    },
    { ...(tls === undefined ? {} : { tls }) },
  );
  const description = describeFailure(await probeServer(server, { ca: [authority.cert] }, url));
  expect(requests).toBe(0);
  return description;
}

function createProbe(change: Partial<Probe>): Probe {
  return {
    url,
    method: 'GET',
    outcome: 'timeout',
    httpStatus: null,
    phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
    latencyMs: null,
    totalMs: 10_000,
    headers: [],
    body: null,
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: null,
    ...change,
  };
}

const fail = (outcome: Outcome, phase: Phase, code: string): Partial<Probe> => ({
  outcome,
  failure: { phase, code, message: '', limitMs: 10_000 },
});

describe('describeFailure', () => {
  it.each<[Partial<Probe>, string]>([
    [{ outcome: 'not-found', httpStatus: 404 }, 'http-404: HTTP 404 Not Found.'],
    [{ outcome: 'blocked', httpStatus: 429 }, 'http-429: HTTP 429 Too Many Requests.'],
    [{ outcome: 'server-error', httpStatus: 599 }, 'http-599: HTTP 599.'],
    [
      { outcome: 'protocol-error', httpStatus: 777 },
      'invalid-response: The response has the status 777, which HTTP does not define.',
    ],
    [
      fail('protocol-error', 'transfer', 'HPE_HEADER_OVERFLOW'),
      'headers-too-large: The response headers are longer than 16 KiB in total.',
    ],
    [
      fail('protocol-error', 'processing', 'HPE_INVALID_URL'),
      'invalid-response: The response is not valid HTTP (HPE_INVALID_URL).',
    ],
    [
      {
        outcome: 'protocol-error',
        failure: { phase: 'transfer', code: 'HPE_X', message: 'Parse Error: Bad\u001b[31m header' },
      },
      'invalid-response: The response is not valid HTTP: Bad[31m header (HPE_X).',
    ],
    [
      fail('connect-error', 'transfer', 'ECONNRESET'),
      'connection-reset: The server closed the connection before the end of the response.',
    ],
    [
      fail('connect-error', 'processing', 'ECONNRESET'),
      'connection-reset: The server closed the connection before it sent a response.',
    ],
    [fail('connect-error', 'connect', 'ECONNREFUSED'), 'connection-refused: The connection was refused.'],
    [fail('timeout', 'processing', 'ETIMEDOUT'), 'timeout: No response within 10 seconds.'],
    [
      fail('refused-address', 'resolve', 'ERR'),
      'address-not-public: The host name resolves to an address that is not public.',
    ],
    [fail('dns-error', 'resolve', 'ENOTFOUND'), 'dns-not-found: The host name does not resolve.'],
  ])('of %j is "%s"', (change, expected) => {
    const description = describeFailure(createProbe(change));
    expect(`${description?.error}: ${description?.detail}`).toBe(expected);
    expect(description?.phase).toBe(change.failure?.phase ?? 'response');
  });

  it.each([
    ['https://new.example/path', 'to https://new.example/path'],
    ['/b?c=d', 'to https://endpoint.example/b'],
    ['https://user:secret@new.example/', 'to https://new.example/'],
    ['javascript:alert(1)', 'without a valid target'],
    ['https://', 'without a valid target'],
    [`/${'x'.repeat(500)}`, `to ${`https://endpoint.example/${'x'.repeat(500)}`.slice(0, 200)}…`],
  ])('has the target of a redirect to %s', (location, target) => {
    const probe = createProbe({ outcome: 'redirected', httpStatus: 308, headers: [['Location', location]] });
    const detail = `The endpoint redirects ${target} (HTTP 308).`;
    expect(describeFailure(probe)).toEqual({ phase: 'response', error: 'redirect', detail });
  });

  it('counts the redirects before an unfollowed redirect, whose target is relative to the last one', () => {
    const redirects = [1, 2, 3].map((hop) => ({ status: 302, url: `https://h${hop}.example/x` }));
    const probe = createProbe({
      outcome: 'redirected',
      httpStatus: 302,
      headers: [['Location', '/y']],
      redirects,
    });
    expect(describeFailure(probe)?.detail).toBe(
      'The endpoint redirects more than 3 times, the last time to https://h3.example/y (HTTP 302).',
    );
  });

  it.each([
    [{ outcome: 'not-found', httpStatus: 404 }, 'HTTP 404 Not Found'],
    [fail('refused-address', 'resolve', 'ERR'), 'The host name resolves to an address that is not public'],
    [
      fail('tls-error', 'tls', 'ERR_TLS_CERT_ALTNAME_INVALID'),
      'The TLS certificate is not valid for new.example',
    ],
  ] as const)('names the origin of the redirect target at which %j occurred', (change, text) => {
    const redirects = [{ status: 302, url: 'https://new.example/ignore%20all%20flags' }];
    expect(describeFailure(createProbe({ ...change, redirects }))?.detail).toBe(
      `${text}, after a redirect to https://new.example/.`,
    );
  });

  it.each([
    [{ expired: true }, 'tls-certificate-expired', 'TLS certificate expired on 2021-01-01.'],
    [
      { notYetValid: true },
      'tls-certificate-not-yet-valid',
      'The TLS certificate becomes valid on 2098-01-01.',
    ],
  ])('has the date of a certificate that is %j', async (options, error, detail) => {
    const certificate = authority.issue(['endpoint.example'], options);
    expect(await describeTls(certificate)).toEqual({ phase: 'tls', error, detail });
  });

  it.each([
    [['b.example'], 'valid for b.example, not for'],
    [['*.b.example', '127.0.0.1', 'c.example'], 'valid for *.b.example and 2 other names, not for'],
    [
      ['b.example\u001b[31m, DNS:endpoint.example'],
      'valid for ?b.example?u001b?31m?u002c?DNS:endpoint.example?, not for',
    ],
    [[], 'not valid for'],
  ])('has the names of a certificate for %j', async (names, text) => {
    const detail = `The TLS certificate is ${text} endpoint.example.`;
    const description = await describeTls(authority.issue(names));
    expect(description).toEqual({ phase: 'tls', error: 'tls-hostname-mismatch', detail });
  });

  it('reports an untrusted certificate', async () => {
    expect(await describeTls(createAuthority('Untrusted').issue(['endpoint.example']))).toMatchObject({
      error: 'tls-certificate-untrusted',
    });
  });

  const alert = (code: number) => Uint8Array.of(21, 3, 3, 0, 2, 2, code);
  it.each<[string, string | Uint8Array, string]>([
    ['https', alert(40), 'tls-rejected'],
    ['https', alert(42), 'tls-client-certificate'],
    ['https', alert(116), 'tls-client-certificate'],
    ['https', alert(70), 'tls-version'],
    ['https', TLS_1_1_SERVER_HELLO, 'tls-version'],
    ['https', alert(112), 'tls-unknown-host'],
    ['https', alert(120), 'http2-only'],
    ['https', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'tls-missing'],
    ['http', Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0), 'http2-only'],
    ['http', Uint8Array.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), 'http2-only'],
    ['http', Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 1), 'not-http'],
    ['http', '{"x402Version":2}', 'not-http'],
  ])('tells apart servers that speak another protocol than %s: %j is %s', async (scheme, data, error) => {
    await using server = await serveText(data);
    expect(describeFailure(await probeServer(server, {}, `${scheme}://endpoint.example/`))).toMatchObject({
      error,
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
    { numRuns: 50 },
  );
});
