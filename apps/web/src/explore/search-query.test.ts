import { describe, expect, it } from 'vitest';
import { normalizeQuery } from './search-query.ts';

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
