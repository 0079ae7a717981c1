import type { Outcome, Phase, Probe, Prober, ProbeTarget, Resolver } from '@touchstone/probe';
import { readDeclaredMethod } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { createOfflineCheck, type CheckNetwork } from '@touchstone/check';
import { createChallengeHeaders, createEnvelope } from '../testing/saved-response.ts';
import { lintEndpoint } from './lint-endpoint.ts';
import { toExitCode } from './lint-result.ts';

const url = new URL('https://api.example.com/v1/weather');
const online: Resolver = async () => [{ address: '192.0.2.1', family: 4 }];
const offline: Resolver = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

function createProbe(change: Partial<Probe>): Probe {
  return {
    url: url.href,
    method: 'GET',
    outcome: 'challenged',
    httpStatus: 402,
    phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
    latencyMs: 5,
    totalMs: 5,
    headers: Object.entries(createChallengeHeaders(createEnvelope(url.href))),
    body: '{}',
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: '192.0.2.1',
    retryAfterSeconds: null,
    failure: null,
    ...change,
  };
}

/**
 * Creates a network whose prober returns the given results in order. The results include failures that no real server
 * can cause.
 */
function createNetwork(probes: readonly Partial<Probe>[], resolver = online): CheckNetwork {
  const remaining = [...probes];
  const isOffline = createOfflineCheck(resolver);
  return { prober: async () => createProbe(remaining.shift() ?? {}), isOffline };
}

function failed(outcome: Outcome, phase: Phase, code: string): Partial<Probe> {
  const failure = { phase, code, message: `message of ${code}` };
  return { outcome, httpStatus: null, headers: [], body: null, failure };
}
const lint = (network: CheckNetwork) => lintEndpoint({ url, method: undefined, now: 0 }, network);

describe('lintEndpoint', () => {
  it('notes that a URL with a placeholder cannot be paid as it is', async () => {
    const template = new URL('https://api.example.com/v1/{city}');
    const network = createNetwork([{ url: template.href }]);
    const { notes } = await lintEndpoint({ url: template, method: undefined, now: 0 }, network);
    expect(notes).toEqual([
      'The URL contains the placeholder {city}; replace it before paying: as it is, the URL cannot be paid.',
    ]);
  });

  it.each([
    [failed('timeout', 'processing', 'ERR_DEADLINE'), 'no response within 5 milliseconds'],
    [failed('dns-error', 'resolve', 'ENOTFOUND'), 'the host name does not resolve'],
    [failed('tls-error', 'tls', 'CERT_HAS_EXPIRED'), 'TLS certificate expired'],
    [failed('connect-error', 'connect', 'ECONNREFUSED'), 'the connection was refused'],
    [
      failed('protocol-error', 'transfer', 'HPE_INVALID_HEADER'),
      'the response is not valid HTTP: message of HPE_INVALID_HEADER (HPE_INVALID_HEADER)',
    ],
    [
      failed('protocol-error', 'transfer', 'HPE_HEADER_OVERFLOW'),
      'the response headers are longer than 16 KiB in total',
    ],
    [
      { outcome: 'protocol-error', httpStatus: 777 } as const,
      'the response has the status 777, which HTTP does not define',
    ],
  ])('reports the reason of a missing response', async (probe, failureReason) => {
    const result = await lint(createNetwork([probe]));
    expect(result).toMatchObject({
      status: null,
      failureReason,
      notes: [],
      challenge: { verdict: 'unpayable' },
    });
  });

  it.each([
    [failed('protocol-error', 'transfer', 'HPE_HEADER_OVERFLOW'), /^Shorten the headers/],
    [failed('tls-error', 'tls', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), /^Enable TLS 1\.2/],
    [failed('connect-error', 'connect', 'ECONNREFUSED'), /a host name that resolves/],
  ])('suggests the fix for the cause of a missing response', async (probe, fix) => {
    const { challenge } = await lint(createNetwork([probe]));
    expect(challenge.checks.find((check) => check.result === 'fail')?.fix).toMatch(fix);
  });

  it('suggests --ca for an unknown authority', async () => {
    const { notes } = await lint(createNetwork([failed('tls-error', 'tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')]));
    expect(notes).toEqual([expect.stringContaining('--ca')]);
  });

  it.each([
    ['challenged', 'closed', 'ECONNRESET', 'The connection failed during the body (ECONNRESET)'],
    ['challenged', 'undecodable', 'Z_DATA_ERROR', 'The body could not be decoded (message of Z_DATA_ERROR)'],
  ] as const)('checks only the headers when the body is incomplete: %s (%s)', async (...row) => {
    const [outcome, bodyEnd, code, note] = row;
    const failure = { phase: 'transfer', code, message: `message of ${code}` } as const;
    const result = await lint(createNetwork([{ outcome, failure, bodyEnd }]));
    expect(result).toMatchObject({ status: 402, failureReason: null, challenge: { payable: { v2: true } } });
    expect(result.notes[0]).toContain(note);
  });

  it('names the URL whose response was checked', async () => {
    const redirects = [
      { status: 308, url: 'https://api.example.com/v2' },
      { status: 307, url: 'https://api.example.com/v2/' },
    ];
    const result = await lint(createNetwork([{ redirects }]));
    expect(result).toMatchObject({ url: url.href, redirects, challenge: { payable: { v2: true } } });
    expect(result.notes).toEqual([
      'The checked response came from https://api.example.com/v2/, after 2 redirects.',
    ]);
  });

  it('reports a redirect to an address that is not public, without notes on a response', async () => {
    const redirects = [{ status: 307, url: 'http://intranet.example.com/' }];
    const refused = failed('refused-address', 'resolve', 'ERR_ADDRESS_REFUSED');
    const result = await lint(createNetwork([{ ...refused, redirects }]));
    expect(result).toMatchObject({ status: null, notes: [], challenge: { verdict: 'unpayable' } });
    expect(result.failureReason).toContain('after a redirect to http://intranet.example.com');
  });

  it('names no incomplete body that had not ended, because a check does', async () => {
    const failure = { phase: 'transfer', code: 'ERR_DEADLINE', message: 'late' } as const;
    const result = await lint(createNetwork([{ failure, bodyEnd: 'deadline' }]));
    expect([result.notes, result.challenge.verdict]).toEqual([[], 'unpayable']);
  });

  it('requests the declared method, but not beside --method', async () => {
    const targets: ProbeTarget[] = [];
    const prober: Prober = async (target) => {
      targets.push(target);
      return createProbe({ outcome: 'free', httpStatus: 200 });
    };
    const network = { prober, isOffline: createOfflineCheck(online) };
    await lint(network);
    await lintEndpoint({ url, method: 'GET', now: 0 }, network);
    expect(targets).toMatchObject([
      { url: url.href, methods: ['GET', 'POST'], readDeclaredMethod },
      // GET is free, so POST is requested, too.
      { url: url.href, methods: ['POST'], readDeclaredMethod },
      { url: url.href, methods: ['GET'] },
    ]);
  });

  it('ignores a second response that is no challenge', async () => {
    const { challenge } = await lint(
      createNetwork([{}, { outcome: 'blocked', httpStatus: 429, headers: [] }]),
    );
    expect(challenge.payable).toEqual({ v1: false, v2: true });
    expect(challenge.checks.find(({ id }) => id === 'terms-stable')?.result).toBe('skip');
  });
});

describe('advice on the method', () => {
  const notAllowed = { outcome: 'method-mismatch', httpStatus: 405, headers: [] } as const;

  it.each<[string, Partial<Probe>, string[]]>([
    ['nothing for a challenge', {}, []],
    [
      'the method before',
      { method: 'POST' },
      ['The checked response is that of POST, because GET was not challenged.'],
    ],
    [
      'another method when none is allowed',
      notAllowed,
      ['If another method requires payment, try --method PUT.'],
    ],
    [
      'the allowed methods',
      { ...notAllowed, headers: [['Allow', 'patch, PUT,HEAD, GET \u001b[2J']] },
      ['The Allow header lists PUT, PATCH; try --method PUT.'],
    ],
    [
      'another method when GET and POST are free',
      { outcome: 'free', httpStatus: 200, headers: [] },
      ['GET and POST were requested. If another method requires payment, try --method PUT.'],
    ],
  ])('names %s', async (_, probe, notes) => {
    const { notes: given } = await lint(createNetwork([probe, { ...probe, method: 'POST' }]));
    expect(given.slice(0, 1)).toEqual(notes);
  });

  const FREE = { outcome: 'free', httpStatus: 200 } as const;

  it('names no other method for an envelope with status 200', async () => {
    const { notes, challenge } = await lint(createNetwork([FREE, { ...FREE, method: 'POST' }]));
    expect([notes, challenge.verdict]).toEqual([[], 'unpayable']);
  });

  it('names POST when GET of --method is free', async () => {
    const network = createNetwork([{ outcome: 'free', httpStatus: 200, headers: [] }]);
    const { notes } = await lintEndpoint({ url, method: 'GET', now: 0 }, network);
    expect(notes).toEqual(['GET was requested. If another method requires payment, try --method POST.']);
  });

  it('names the allowed methods when the method of --method is not allowed', async () => {
    const network = createNetwork([{ ...notAllowed, method: 'PUT', headers: [['Allow', 'GET, POST']] }]);
    const { notes } = await lintEndpoint({ url, method: 'PUT', now: 0 }, network);
    expect(notes).toEqual(['The Allow header lists GET, POST; try --method GET.']);
  });
});

describe('advice on an undetermined response', () => {
  it.each([
    [429, '10', 'Wait 10 seconds'],
    [429, null, 'Wait a while'],
    [429, 'Thu, 01 Jan 1970 00:00:00 GMT', 'Wait a while'],
    [429, '1', 'Wait 1 second,'],
    [401, null, 'The endpoint requires credentials'],
    [403, null, 'refused this request'],
    [407, null, 'A proxy requires credentials'],
    [451, null, 'for legal reasons'],
  ] as const)('depends on the status (%i, Retry-After: %s)', async (httpStatus, retryAfter, note) => {
    const headers = retryAfter === null ? [] : [['Retry-After', retryAfter] as const];
    const result = await lint(createNetwork([{ outcome: 'blocked', httpStatus, headers }]));
    expect(result).toMatchObject({ retryAfter, challenge: { verdict: 'undetermined' } });
    expect(result.notes).toEqual([expect.stringContaining(note)]);
    expect(toExitCode(result, 'error')).toBe(2);
  });

  it('names the target of a redirect that was not followed', async () => {
    const headers = [['Location', 'http://api.example.com/v2']] as const;
    const result = await lint(createNetwork([{ outcome: 'redirected', httpStatus: 301, headers }]));
    expect(result).toMatchObject({ challenge: { verdict: 'undetermined' } });
    expect(result.notes).toEqual([
      expect.stringContaining('Check the target of the redirect, which http-no-redirect names.'),
    ]);
  });

  it('suggests a complete request after a 422', async () => {
    const bad = { outcome: 'client-error', httpStatus: 422, headers: [] } as const;
    const result = await lint(createNetwork([bad]));
    expect(result.notes).toEqual([expect.stringContaining('a complete request')]);
  });
});

describe('lintEndpoint throws', () => {
  it.each([
    [
      'this machine failed',
      failed('self-failure', 'connect', 'ENETUNREACH'),
      'This machine could not send the request',
    ],
    [
      'the address is not allowed',
      failed('refused-address', 'resolve', 'ERR_ADDRESS_REFUSED'),
      '--allow-private',
    ],
  ])('when %s', async (_, probe, message) => {
    await expect(lint(createNetwork([probe]))).rejects.toThrow(message);
  });

  it.each(['ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT'])(
    'when this machine resolves no host name (%s)',
    async (code) => {
      const outcome = code === 'ETIMEOUT' ? 'timeout' : 'dns-error';
      const network = createNetwork([failed(outcome, 'resolve', code)], offline);
      await expect(lint(network)).rejects.toThrow('This machine has no network');
    },
  );
});
