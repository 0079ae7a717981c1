import { expect, test } from 'vitest';
import { fitsTemplate, isHidden, namesRequest, parseUrl, parseWebUrl } from './resource-url.ts';

test.each([
  ['https://a.example/x', 'https://a.example/x', null, true],
  ['https://a.example/x?q=1', 'https://a.example/x?q=2', null, true],
  ['https://a.example/x/', 'https://a.example/x', null, true],
  ['https://a.example:443/x', 'https://A.example/x', null, true],
  ['http://a.example/x', 'https://a.example/x', null, false],
  ['https://b.example/x', 'https://a.example/x', null, false],
  ['https://a.example/y', 'https://a.example/x', null, false],
  ['https://a.example/users/:id', 'https://a.example/users/7', '/users/:id', true],
  ['https://a.example/users/9', 'https://a.example/users/7', '/users/:id', true],
  ['https://a.example/users/9/posts', 'https://a.example/users/7', '/users/:id', false],
  ['https://a.example/other', 'https://a.example/users/7', '/users/:id', false],
])('%s names %s by template %s: %s', (...[advertised, requested, template, expected]) => {
  expect(namesRequest(new URL(advertised), new URL(requested), template)).toBe(expected);
});

test('parseUrl reads absolute URLs and nothing else', () => {
  expect(parseUrl('https://a.example/x')?.pathname).toBe('/x');
  for (const other of ['/x', 'a.example/x', '', 7, null, undefined, {}]) expect(parseUrl(other)).toBeNull();
});

test('parseWebUrl reads URLs of the web only', () => {
  expect(parseWebUrl('http://a.example/x')?.host).toBe('a.example');
  for (const other of ['mcp://tool/x', 'data:,x', 'javascript:1', '/x', null])
    expect(parseWebUrl(other)).toBeNull();
});

test.each([
  ['http://localhost/x', 'https://a.example/x', true],
  ['http://localhost/x', 'http://127.0.0.1/x', false],
  ['https://a.example/x', 'http://localhost/x', false],
  ['https://a.example/x', 'https://b.example/x', false],
])('%s asked at %s hides: %s', (...[advertised, requested, expected]) => {
  expect(isHidden(new URL(advertised), new URL(requested))).toBe(expected);
});

test.each([
  ['/users/:id', '/users/7', true],
  ['/users/:id', '/users/7/', true],
  ['/users/:id', '/users', false],
  ['/users/:id.json', '/users/7.json', true],
  ['/caf%C3%A9/:id', '/caf%c3%a9/7', true],
  ['/100%/:id', '/100%/7', true],
  ['/', '/', true],
])('%s fits %s: %s', (...[template, path, expected]) => {
  expect(fitsTemplate(template, path)).toBe(expected);
});
