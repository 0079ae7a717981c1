import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeNextSpan } from './read-evm-settlements.ts';

const base = { span: 100, refusedDownTo: null, blocks: 100, rows: 0, maxSpan: 9_000, maxRows: 5_000 };

test('the next span grows by a quarter, or shrinks to the number of blocks the provider accepted', () => {
  expect(computeNextSpan(base)).toBe(125);
  expect(computeNextSpan({ ...base, span: 1 })).toBe(2);
  expect(computeNextSpan({ ...base, refusedDownTo: 12 })).toBe(12);
  expect(computeNextSpan({ ...base, span: 9_000 })).toBe(9_000);
});

test('the next span contains half the rows of a step when transfers are dense', () => {
  expect(computeNextSpan({ ...base, rows: 5_000 })).toBe(50);
  expect(computeNextSpan({ ...base, rows: 2_500 })).toBe(125);
  expect(computeNextSpan({ ...base, blocks: 1, rows: 80_000 })).toBe(1);
});

test('the next span is always a whole number from 1 to its maximum', () => {
  const results = fc.record({
    span: fc.integer({ min: 1, max: 20_000 }),
    refusedDownTo: fc.option(fc.integer({ min: 1, max: 20_000 })),
    blocks: fc.integer({ min: 1, max: 20_000 }),
    rows: fc.nat(1_000_000),
    maxSpan: fc.integer({ min: 1, max: 10_000 }),
    maxRows: fc.integer({ min: 1, max: 10_000 }),
  });
  fc.assert(
    fc.property(results, (given) => {
      const span = computeNextSpan(given);
      expect(Number.isInteger(span)).toBe(true);
      expect(span).toBeGreaterThanOrEqual(1);
      expect(span).toBeLessThanOrEqual(given.maxSpan);
    }),
  );
});
