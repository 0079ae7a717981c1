import { describe, expect, it } from 'vitest';
import { probeServer } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import { classifyFailure, classifyUptime, type Outcome } from './classify-outcome.ts';

describe('classifyFailure', () => {
  it.each([
    ['resolve', 'ENOTFOUND', 'dns-error'],
    ['resolve', 'ESERVFAIL', 'dns-error'],
    ['resolve', 'ETIMEOUT', 'timeout'],
    ['resolve', 'ECONNREFUSED', 'self-failure'],
    ['resolve', 'EDESTRUCTION', 'self-failure'],
    ['connect', 'ECONNREFUSED', 'connect-error'],
    ['connect', 'EHOSTUNREACH', 'connect-error'],
    ['connect', 'ECONNRESET', 'connect-error'],
    ['connect', 'ETIMEDOUT', 'timeout'],
    ['connect', 'EMFILE', 'self-failure'],
    ['connect', 'ENFILE', 'self-failure'],
    ['connect', 'ENOBUFS', 'self-failure'],
    ['connect', 'ENETUNREACH', 'self-failure'],
    ['connect', 'ENETDOWN', 'self-failure'],
    ['connect', 'EADDRNOTAVAIL', 'self-failure'],
    ['connect', 'ERR_SOCKET_BAD_PORT', 'self-failure'],
    ['tls', 'CERT_HAS_EXPIRED', 'tls-error'],
    ['tls', 'ECONNRESET', 'tls-error'],
    ['tls', 'ETIMEDOUT', 'timeout'],
    ['processing', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls-error'],
    ['processing', 'ECONNRESET', 'connect-error'],
    ['processing', 'EPIPE', 'connect-error'],
    ['processing', 'HPE_INVALID_CONSTANT', 'protocol-error'],
    ['processing', 'ERR_UNEXPECTED', 'self-failure'],
    ['transfer', 'HPE_INVALID_CHUNK_SIZE', 'protocol-error'],
    ['transfer', 'ECONNRESET', 'connect-error'],
  ] as const)('classifies a failure in phase %s with code %s as %s', (phase, code, outcome) => {
    expect(classifyFailure({ phase, code })).toBe(outcome);
  });
});

const gate = { 'www-authenticate': 'Payment id="1"' };

describe('the outcome of a response', () => {
  const cases: readonly (readonly [number, Readonly<Record<string, string>>, Outcome])[] = [
    [402, {}, 'challenged'],
    [402, gate, 'challenged'],
    [200, {}, 'free'],
    [204, {}, 'free'],
    [206, {}, 'free'],
    [301, { location: 'ftp://x' }, 'redirected'],
    [304, {}, 'redirected'],
    [308, { location: 'ftp://x' }, 'redirected'],
    [400, {}, 'client-error'],
    [401, gate, 'other-gate'],
    [401, {}, 'blocked'],
    [403, gate, 'other-gate'],
    [403, {}, 'blocked'],
    [404, gate, 'not-found'],
    [405, {}, 'method-mismatch'],
    [406, {}, 'client-error'],
    [407, {}, 'blocked'],
    [410, {}, 'not-found'],
    [412, {}, 'client-error'],
    [415, {}, 'client-error'],
    [418, {}, 'client-error'],
    [422, {}, 'client-error'],
    [429, { 'retry-after': '60' }, 'blocked'],
    [429, gate, 'blocked'],
    [451, {}, 'blocked'],
    [500, {}, 'server-error'],
    [501, {}, 'server-error'],
    [503, { server: 'cloudflare', 'cf-mitigated': 'challenge' }, 'server-error'],
    [599, {}, 'server-error'],
    [600, {}, 'protocol-error'],
    [999, {}, 'protocol-error'],
  ];

  it.each(cases)('with status %i and headers %j is %s', async (status, headers, outcome) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    expect(await probeServer(server)).toMatchObject({ outcome, httpStatus: status, failure: null });
  });
});

it.each([
  ['challenged', 'up'],
  ['free', 'up'],
  ['other-gate', 'up'],
  ['timeout', 'down'],
  ['dns-error', 'down'],
  ['tls-error', 'down'],
  ['connect-error', 'down'],
  ['protocol-error', 'down'],
  ['server-error', 'down'],
  ['not-found', 'down'],
  ['refused-address', 'down'],
  ['blocked', 'neither'],
  ['method-mismatch', 'neither'],
  ['redirected', 'neither'],
  ['client-error', 'neither'],
  ['self-failure', 'neither'],
] as const)('counts %s as %s', (outcome, verdict) => {
  expect(classifyUptime(outcome)).toBe(verdict);
});
