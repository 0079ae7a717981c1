import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directoryPage } from './directory-page.ts';

const page = (query: string) => directoryPage(new URLSearchParams(query));

describe('a page', () => {
  test.each([
    ['', { limit: 100, offset: 0 }],
    ['type=http', { limit: 100, offset: 0 }],
    ['limit=1000&offset=2000', { limit: 1000, offset: 2000 }],
    ['limit=14', { limit: 10, offset: 0 }],
    ['limit=16', { limit: 20, offset: 0 }],
    ['limit=1', { limit: 10, offset: 0 }],
    ['limit=100&offset=150', { limit: 100, offset: 100 }],
    ['limit=100&offset=99', { limit: 100, offset: 0 }],
  ])('of %j', (query, expected) => {
    expect(page(query)).toEqual(expected);
  });

  test('always starts at a multiple of a limit that is a multiple of ten', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat(100_000), (limit, offset) => {
        const found = page(`limit=${limit}&offset=${offset}`);
        if ('error' in found) throw new Error(found.error);
        expect(found.limit % 10).toBe(0);
        expect(Math.abs(found.limit - limit)).toBeLessThanOrEqual(limit < 5 ? 9 : 5);
        expect(found.offset % found.limit).toBe(0);
        expect(offset - found.offset).toBeLessThan(found.limit);
      }),
    );
  });
});

test.each([
  ['limit=0', 'limit must be from 1 to 1000'],
  ['limit=1001', 'limit must be from 1 to 1000'],
  ['limit=-10', 'limit must be a whole number'],
  ['limit=', 'limit must be a whole number'],
  ['limit=1e2', 'limit must be a whole number'],
  ['offset=1.5', 'offset must be a whole number'],
  ['type=mcp', 'type must be http'],
])('%j is refused', (query, message) => {
  expect(page(query)).toEqual({ error: message });
});
