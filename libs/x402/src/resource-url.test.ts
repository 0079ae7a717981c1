import { expect, test } from 'vitest';
import { namesRequest, parseUrl } from './resource-url.ts';

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
