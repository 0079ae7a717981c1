import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicHost } from './public-host.ts';

test.each([
  ...[
    'localhost',
    'localhost.',
    'LOCALHOST',
    'api.localhost',
    'web',
    'printer.local',
    'db.internal',
    'nas.home.arpa',
  ],
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::]', '[fe80::1]', '[febf::1]', '[fc00::1]'],
  ...['[fd12:3456::1]', '[::ffff:127.0.0.1]', '[::ffff:c0a8:101]'],
])('%s is local', (host) => {
  expect(isPublicHost(new URL(`https://${host}/`))).toBe(false);
});

test.each([
  ...[
    'api.example.com',
    'example.com.',
    'local.example',
    'internal.example.com',
    'xn--bcher-kva.example',
    '1.1.1.1',
  ],
  ...[
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '169.253.0.1',
    '11.0.0.1',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
  ],
  '[fec0::1]',
])('%s is public', (host) => {
  expect(isPublicHost(new URL(`https://${host}/`))).toBe(true);
});

test('an address means the same mapped into IPv6', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicHost(new URL(`https://[::ffff:${address}]/`))).toBe(
        isPublicHost(new URL(`https://${address}/`)),
      );
    }),
  );
});
