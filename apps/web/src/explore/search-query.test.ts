import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeQuery, encodeQuery, MAX_QUERY_LENGTH, normalizeQuery } from './search-query.ts';

describe('normalizeQuery', () => {
  it('trims the query and joins its lines', () => {
    expect(normalizeQuery('  stock\n\tprices ')).toBe('stock prices');
  });

  it('removes NUL and bidirectional control characters', () => {
    expect(normalizeQuery('a\u0000b\u202Ec')).toBe('abc');
  });

  it('keeps a long query, so that its length can be reported', () => {
    expect(normalizeQuery('x'.repeat(5_000))).toHaveLength(5_000);
  });
});

describe('encodeQuery', () => {
  it('keeps every query within the maximum length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: MAX_QUERY_LENGTH }), (text) => {
        const query = normalizeQuery(text);
        fc.pre(query.length <= MAX_QUERY_LENGTH);
        expect(encodeQuery(text)).toMatch(/^[\w-]*$/);
        expect(decodeQuery(encodeQuery(text))).toBe(query);
      }),
    );
  });

  it('bounds the path of a query that is too long', () => {
    expect(decodeQuery(encodeQuery('x'.repeat(10_000)))).toHaveLength(MAX_QUERY_LENGTH + 1);
  });
});
