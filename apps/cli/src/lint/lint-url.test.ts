import type { Outcome, Phase, Probe, Resolver } from '@touchstone/probe';
import { describe, expect, it } from 'vitest';
import { challengeHeaders, envelopeFor } from '../testing/answers.ts';
import { exitCodeOf } from './judged.ts';
import { lintUrl } from './lint-url.ts';
import type { Network } from './network.ts';

const url = new URL('https://api.example.com/v1/weather');
const online: Resolver = async () => [{ address: '192.0.2.1', family: 4 }];
const offline: Resolver = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

function probeOf(change: Partial<Probe>): Probe {
  return {
    url: url.href,
    method: 'GET',
    outcome: 'challenged',
    httpStatus: 402,
    phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
    latencyMs: 5,
    totalMs: 5,
    headers: Object.entries(challengeHeaders(envelopeFor(url.href))),
    body: '{}',
    bodyTruncated: false,
    remoteAddress: '192.0.2.1',
    retryAfterSeconds: null,
    failure: null,
    ...change,
  };
}

/** Stand-ins for answers a real server cannot be made to give: the network's own failures. */
function networkOf(probes: readonly Partial<Probe>[], resolver = online): Network {
  const left = [...probes];
  return { prober: async () => probeOf(left.shift() ?? {}), resolver, isInternet: true };
}

function failed(outcome: Outcome, phase: Phase, code: string): Partial<Probe> {
  const failure = { phase, code, message: `what ${code} says` };
  return { outcome, httpStatus: null, headers: [], body: null, failure };
}
const lint = (network: Network) => lintUrl({ url, method: undefined, now: 0 }, network);

describe('a verdict', () => {
  it.each([
    [failed('timeout', 'processing', 'ERR_DEADLINE'), 'the time ran out while waiting for the answer'],
    [failed('dns-error', 'resolve', 'ENOTFOUND'), 'its name does not resolve (ENOTFOUND)'],
    [failed('tls-error', 'tls', 'CERT_HAS_EXPIRED'), 'the TLS handshake failed: what CERT_HAS_EXPIRED says'],
    [failed('connect-error', 'connect', 'ECONNREFUSED'), 'the connection failed (ECONNREFUSED)'],
    [
      failed('protocol-error', 'transfer', 'HPE_INVALID_HEADER'),
      'what came is not HTTP (HPE_INVALID_HEADER)',
    ],
    [
      failed('protocol-error', 'transfer', 'HPE_HEADER_OVERFLOW'),
      'its headers are longer than 64 KiB together',
    ],
    [
      { outcome: 'protocol-error', httpStatus: 777 } as const,
      'what came is not HTTP (a status that HTTP has not)',
    ],
  ])('is given on silence, with its reason', async (probe, silence) => {
    const judged = await lint(networkOf([probe]));
    expect(judged).toMatchObject({ status: null, silence, notes: [], challenge: { verdict: 'unpayable' } });
  });

  it('on headers that are too long says to shorten them', async () => {
    const network = networkOf([failed('protocol-error', 'transfer', 'HPE_HEADER_OVERFLOW')]);
    const { challenge } = await lint(network);
    expect(challenge.checks.find(({ result }) => result === 'fail')?.fix).toMatch(/^Shorten the headers/);
  });

  it('points at --ca where the authority is not known', async () => {
    const { notes } = await lint(networkOf([failed('tls-error', 'tls', 'DEPTH_ZERO_SELF_SIGNED_CERT')]));
    expect(notes).toEqual([expect.stringContaining('--ca')]);
  });

  it.each([
    ['timeout', 'ERR_DEADLINE', 'Its body did not end in time'],
    ['connect-error', 'ECONNRESET', 'Its body broke off (ECONNRESET)'],
    ['protocol-error', 'HPE_INVALID_CHUNK_SIZE', 'Its body broke off (HPE_INVALID_CHUNK_SIZE)'],
    ['challenged', 'Z_DATA_ERROR', 'Its body could not be decoded (what Z_DATA_ERROR says)'],
  ] as const)('is given on a body that %s ends (%s)', async (outcome, code, words) => {
    const failure = { phase: 'transfer', code, message: `what ${code} says` } as const;
    const judged = await lint(networkOf([{ outcome, failure, bodyTruncated: true }]));
    expect(judged).toMatchObject({ status: 402, silence: null, challenge: { payable: { v2: true } } });
    expect(judged.notes[0]).toContain(words);
  });

  it('is given without a second answer when that was no challenge', async () => {
    const { challenge } = await lint(networkOf([{}, { outcome: 'blocked', httpStatus: 429, headers: [] }]));
    expect(challenge.payable).toEqual({ v1: false, v2: true });
    expect(challenge.checks.find(({ id }) => id === 'terms-stable')?.result).toBe('skip');
  });
});

describe('an answer that leaves open whether it is to be paid', () => {
  it.each([
    [429, '10', 'wait for 10 seconds'],
    [429, null, 'wait a while'],
    [401, null, 'It asks for credentials first'],
    [403, null, 'turned this request away'],
    [407, null, 'A proxy on the way'],
  ] as const)(
    'is told with what to do about it (%i, Retry-After: %s)',
    async (httpStatus, retryAfter, words) => {
      const headers = retryAfter === null ? [] : [['Retry-After', retryAfter] as const];
      const judged = await lint(networkOf([{ outcome: 'blocked', httpStatus, headers }]));
      expect(judged).toMatchObject({ retryAfter, challenge: { verdict: 'undetermined' } });
      expect(judged.notes).toEqual([expect.stringContaining(words)]);
      expect(exitCodeOf(judged)).toBe(2);
    },
  );

  it('may want a complete request', async () => {
    const bad = { outcome: 'client-error', httpStatus: 422, headers: [] } as const;
    const judged = await lint(networkOf([bad, { ...bad, method: 'POST' }]));
    expect(judged.notes).toEqual(['POST was answered 422.', expect.stringContaining('a complete request')]);
  });
});

describe('no verdict is given', () => {
  it.each([
    ['this machine failed', failed('self-failure', 'connect', 'ENETUNREACH'), 'This machine could not ask'],
    [
      'the address is not dialled',
      failed('refused-address', 'resolve', 'ERR_ADDRESS_REFUSED'),
      '--allow-private',
    ],
  ])('when %s', async (_, probe, words) => {
    await expect(lint(networkOf([probe]))).rejects.toThrow(words);
  });

  it.each(['ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT'])('when no name at all resolves here (%s)', async (code) => {
    const outcome = code === 'ETIMEOUT' ? 'timeout' : 'dns-error';
    const network = networkOf([failed(outcome, 'resolve', code)], offline);
    await expect(lint(network)).rejects.toThrow('This machine cannot look up names');
  });
});
