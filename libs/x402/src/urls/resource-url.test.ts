import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPublicHost,
  matchesTemplate,
  advertisesPrivateHost,
  matchesRequest,
  parseUrl,
  parseHttpUrl,
} from './resource-url.ts';

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
  ...[
    ...['172.15.0.1', '172.32.0.1', '100.128.0.1', '169.253.0.1', '11.0.0.1', '[2606:4700::1111]'],
    ...['[::ffff:8.8.8.8]'],
  ],
  ...['192.0.1.1', '192.0.3.1', '198.17.255.255', '198.20.0.1', '198.51.101.1', '203.0.114.1'],
  ...['223.255.255.255', '[::8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2002:808:808::1]', '[2003::a00:1]'],
  ...['[64:ff9b:2::a00:1]', '[2001:4860:4860::8888]', '[2001:db9::1]'],
  '[fec0::1]',
])('%s is public', (host) => {
  expect(isPublicHost(new URL(`https://${host}/`))).toBe(true);
});

test('an IPv4 address has the same result when embedded in IPv6', () => {
  const First = fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 8, 255);
  const Address = fc.tuple(First, fc.nat(255), fc.nat(255), fc.nat(255));
  fc.assert(
    fc.property(Address, (parts) => {
      const hex = parts.map((part) => part.toString(16).padStart(2, '0')).join('');
      const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
      const expected = isPublicHost(new URL(`https://${parts.join('.')}/`));
      for (const host of [`::ffff:${groups}`, `::${groups}`, `64:ff9b::${groups}`, `2002:${groups}::1`])
        expect([host, isPublicHost(new URL(`https://[${host}]/`))]).toEqual([host, expected]);
    }),
  );
});

test.each([
  ['https://a.example.com/x', 'https://a.example.com/x', null, true],
  ['https://a.example.com/x?q=1', 'https://a.example.com/x?q=2', null, true],
  ['https://a.example.com/x/', 'https://a.example.com/x', null, true],
  ['https://a.example.com:443/x', 'https://A.example.com/x', null, true],
  ['http://a.example.com/x', 'https://a.example.com/x', null, false],
  ['https://b.example.com/x', 'https://a.example.com/x', null, false],
  ['https://a.example.com/y', 'https://a.example.com/x', null, false],
  ['https://a.example.com/users/:id', 'https://a.example.com/users/7', '/users/:id', true],
  ['https://a.example.com/users/9', 'https://a.example.com/users/7', '/users/:id', true],
  ['https://a.example.com/users/9/posts', 'https://a.example.com/users/7', '/users/:id', false],
  ['https://a.example.com/other', 'https://a.example.com/users/7', '/users/:id', false],
])('%s matches request %s with template %s: %s', (...[advertised, requested, template, expected]) => {
  expect(matchesRequest(new URL(advertised), new URL(requested), template)).toBe(expected);
});

test('parseUrl accepts absolute URLs only', () => {
  expect(parseUrl('https://a.example.com/x')?.pathname).toBe('/x');
  for (const other of ['/x', 'a.example.com/x', '', 7, null, undefined, {}])
    expect(parseUrl(other)).toBeNull();
});

test('parseHttpUrl accepts http and https URLs only', () => {
  expect(parseHttpUrl('http://a.example.com/x')?.host).toBe('a.example.com');
  for (const other of ['mcp://tool/x', 'data:,x', 'javascript:1', '/x', null])
    expect(parseHttpUrl(other)).toBeNull();
});

test.each([
  ['http://localhost/x', 'https://a.example.com/x', true],
  ['http://localhost/x', 'http://127.0.0.1/x', false],
  ['https://a.example.com/x', 'http://localhost/x', false],
  ['https://a.example.com/x', 'https://b.example.com/x', false],
])('advertised %s, requested %s: private host %s', (...[advertised, requested, expected]) => {
  expect(advertisesPrivateHost(new URL(advertised), new URL(requested))).toBe(expected);
});

test.each([
  ['/users/:id', '/users/7', true],
  ['/users/:id', '/users/7/', true],
  ['/users/:id', '/users', false],
  ['/users/:id.json', '/users/7.json', true],
  ['/caf%C3%A9/:id', '/caf%c3%a9/7', true],
  ['/100%/:id', '/100%/7', true],
  ['/', '/', true],
  ['/v1/models:predict', '/v1/models:predict', true],
  ['/v1/models:predict', '/v1/users', false],
  ['/v1/models:predict', '/v1/models', false],
  ['/files/report-:year.csv', '/files/report-2026.csv', true],
  ['/files/report-:year.csv', '/files/report-.csv', false],
  ['/files/report-:year.csv', '/files/summary-2026.csv', false],
  ['/files/:from-:to', '/files/a-b', true],
  ['/files/:from-:to', '/files/a-', false],
  ['/files/:from-:to', '/files/-b', false],
  ['/files/:a:b', '/files/x', false],
  ['/files/:a:b', '/files/xy', true],
  ['/users/:id.json', '/users/7', false],
  ['/users/:7', '/users/8', false],
  ['/wild/:var1', '/wild/a', true],
  ['/wild/:var1', '/wild/a/b/c', true],
  ['/wild/:var1', '/wild', true],
  ['/wild/:var1', '/tame/a', false],
  ['/wild/:variant', '/wild/a/b', false],
  ['/a/:var1/b', '/a/x/y/b', true],
  ['/a/:var1/b', '/a/b', false],
  ['/a/:var1/b/:var2', '/a/b/b/c/d', true],
  ['/a/:var1/:id/b', '/a/1/2/3/b', true],
  ['/a/:var1/:id/b', '/a/1/b', false],
])('template %s matches %s: %s', (...[template, path, expected]) => {
  expect(matchesTemplate(template, path)).toBe(expected);
});

test('compares very long templates quickly', () => {
  const started = performance.now();
  const path = `/${'a/'.repeat(1_000)}b`;
  for (const part of [':var1/', ':a', ':a-', 'a/:var1/'])
    expect(matchesTemplate(`/${part.repeat(8_000)}`, path)).toBe(false);
  expect(performance.now() - started).toBeLessThan(30_000);
});
