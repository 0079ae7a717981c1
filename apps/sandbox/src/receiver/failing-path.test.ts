import { expect, test } from 'vitest';
import { parseFailingPath } from './failing-path.ts';

test.each([
  ['/fail/503', { kind: 503, acceptsFirst: false }],
  ['/fail/302/second', { kind: 302, acceptsFirst: false }],
  ['/gone', { kind: 'removed', acceptsFirst: false }],
  ['/rate-limited/hook', { kind: 'rate-limited', acceptsFirst: false }],
  ['/accept-one/gone', { kind: 'removed', acceptsFirst: true }],
  ['/accept-one/fail/500/hook', { kind: 500, acceptsFirst: true }],
])('the path %s fails', (path, expected) => {
  expect(parseFailingPath(path)).toEqual(expected);
});

test.each([
  '/',
  '/hooks/me',
  '/fail',
  '/fail/200',
  '/fail/600',
  '/fail/5030',
  '/goner',
  '/accept-one',
  '/a/gone',
])('the path %s accepts every message', (path) => {
  expect(parseFailingPath(path)).toBeNull();
});
