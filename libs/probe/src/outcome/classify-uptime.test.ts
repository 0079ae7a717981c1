import { expect, it } from 'vitest';
import { classifyUptime } from './classify-uptime.ts';

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
