import { expect, test } from 'vitest';
import { isPublicHost, isPublicName } from './public-host.ts';

test.each([
  ...[
    ...['localhost', 'localhost.', 'LOCALHOST', 'api.localhost', 'web', 'printer.local', 'db.internal'],
    ...['nas.home.arpa', 'home.arpa', 'api.sandbox.test', 'api.invalid', 'api.example', 'router.lan'],
    ...['wiki.intranet', 'wiki.corp', 'wiki.private', 'nas.home', 'expyuzz4wqqyqhjn.onion'],
  ],
  ...[
    ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.7'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '100.127.255.255'],
  ],
  ...['[::7f00:1]', '[::10.0.0.1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::c0a8:101]', '[2002:7f00:1::]'],
  ...['[2002:c0a8:101::1]', '[2002:a00:1:2:3:4:5:6]', '[::ffff:203.0.113.7]', '[ff02::1]', '[2001:db8::1]'],
  ...[
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0.0.0.0', '10.1.2.3', '172.16.0.1'],
    ...['172.31.255.255'],
  ],
  ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::]', '[fe80::1]', '[febf::1]', '[fc00::1]'],
  ...['[fd12:3456::1]', '[::ffff:127.0.0.1]', '[::ffff:c0a8:101]'],
])('%s is not public', (host) => {
  expect(isPublicHost(new URL(`https://${host}/`))).toBe(false);
});

test.each([
  ...[
    ...['api.example.com', 'example.com.', 'local.example.com', 'test.com', 'contest.org', 'example.com'],
    ...['example.test.org', 'internal.example.com', 'xn--bcher-kva.example.com', '1.1.1.1'],
  ],
  ...[...['172.15.0.1', '172.32.0.1', '100.128.0.1', '169.253.0.1', '11.0.0.1', '[2606:4700::1111]']],
  ...['192.0.1.1', '192.0.3.1', '198.17.255.255', '198.20.0.1', '198.51.101.1', '203.0.114.1'],
  ...['223.255.255.255', '[2003::a00:1]'],
  ...['[2001:4860:4860::8888]', '[2001:db9::1]'],
])('%s is public', (host) => {
  expect(isPublicHost(new URL(`https://${host}/`))).toBe(true);
});

test('no IPv6 form that carries an IPv4 address is public', () => {
  const hosts = ['::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:2::a00:1', '2002:808:808::1'];
  for (const host of [...hosts, 'fec0::1']) expect(isPublicHost(new URL(`https://[${host}]/`))).toBe(false);
});

test.each(['8.8.8.8', '127.0.0.1'])('isPublicName is true for any name with a dot, such as %s', (host) => {
  expect(isPublicName(host)).toBe(true);
});
