import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeNextSpan } from './next-span.ts';

const usual = { span: 100, refusedDownTo: null, blocks: 100, rows: 0, maxSpan: 9_000, maxRows: 5_000 };

test('it grows by a quarter, and shrinks to what was taken', () => {
  expect(computeNextSpan(usual)).toBe(125);
  expect(computeNextSpan({ ...usual, span: 1 })).toBe(2);
  expect(computeNextSpan({ ...usual, refusedDownTo: 12 })).toBe(12);
  expect(computeNextSpan({ ...usual, span: 9_000 })).toBe(9_000);
});

test('where transfers are dense, the next range holds half of what a step may', () => {
  expect(computeNextSpan({ ...usual, rows: 5_000 })).toBe(50);
  expect(computeNextSpan({ ...usual, rows: 2_500 })).toBe(125);
  expect(computeNextSpan({ ...usual, blocks: 1, rows: 80_000 })).toBe(1);
});

test('it is always a whole number of blocks within bounds', () => {
  const experience = fc.record({
    span: fc.integer({ min: 1, max: 20_000 }),
    refusedDownTo: fc.option(fc.integer({ min: 1, max: 20_000 })),
    blocks: fc.integer({ min: 1, max: 20_000 }),
    rows: fc.nat(1_000_000),
    maxSpan: fc.integer({ min: 1, max: 10_000 }),
    maxRows: fc.integer({ min: 1, max: 10_000 }),
  });
  fc.assert(
    fc.property(experience, (given) => {
      const span = computeNextSpan(given);
      expect(Number.isInteger(span)).toBe(true);
      expect(span).toBeGreaterThanOrEqual(1);
      expect(span).toBeLessThanOrEqual(given.maxSpan);
    }),
  );
});
