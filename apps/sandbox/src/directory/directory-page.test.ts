import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDirectoryPage } from './directory-page.ts';

function page(query: string) {
  return parseDirectoryPage(new URLSearchParams(query));
}

describe('a directory page', () => {
  test.each([
    ['', { limit: 100, offset: 0 }],
    ['type=http', { limit: 100, offset: 0 }],
    ['limit=1000&offset=2000', { limit: 1000, offset: 2000 }],
    ['limit=14', { limit: 10, offset: 0 }],
    ['limit=16', { limit: 20, offset: 0 }],
    ['limit=1', { limit: 10, offset: 0 }],
    ['limit=100&offset=150', { limit: 100, offset: 100 }],
    ['limit=100&offset=99', { limit: 100, offset: 0 }],
  ])('is parsed from the query %j', (query, expected) => {
    expect(page(query)).toEqual(expected);
  });

  test('has a limit that is a multiple of 10 and an offset that is a multiple of the limit', () => {
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
  ['limit=0', 'limit must be a whole number from 1 to 1000; received 0'],
  ['limit=1001', 'limit must be a whole number from 1 to 1000; received 1001'],
  ['limit=-10', 'limit must be a whole number from 1 to 1000; received -10'],
  ['limit=', 'limit must be a whole number from 1 to 1000; received an empty value'],
  ['limit=1e2', 'limit must be a whole number from 1 to 1000; received 1e2'],
  ['offset=1.5', 'offset must be a whole number from 0 to 999999999; received 1.5'],
  ['type=mcp', 'type must be http'],
])('rejects %j', (query, message) => {
  expect(page(query)).toEqual({ error: message });
});
