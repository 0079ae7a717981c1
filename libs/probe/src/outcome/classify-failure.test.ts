import { describe, expect, it } from 'vitest';
import { classifyFailure } from './classify-failure.ts';

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
