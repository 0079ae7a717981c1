import { expect, test } from 'vitest';
import {
  matchesTemplate,
  advertisesPrivateHost,
  matchesRequest,
  parseUrl,
  parseHttpUrl,
} from './resource-url.ts';

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
