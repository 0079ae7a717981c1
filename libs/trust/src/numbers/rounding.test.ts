import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampShare, roundHalfUp } from './rounding.ts';

test.each([
  [64.95, 1, 65],
  [64.949999999999996, 1, 65],
  [64.9499, 1, 64.9],
  [0.05, 1, 0.1],
  [99.95, 1, 100],
  [0.145, 2, 0.15],
  [1.005, 2, 1.01],
  [34.999999999, 1, 35],
  [0, 1, 0],
])('%d to %i decimals is %d', (value, decimals, expected) => {
  expect(roundHalfUp(value, decimals)).toBe(expected);
});

test('rounds thousandths like exact decimal arithmetic', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (thousandths) => {
      const tenths = (BigInt(thousandths) + 50n) / 100n;
      expect(roundHalfUp(thousandths / 1_000, 1)).toBe(Number(tenths) / 10);
    }),
  );
});

test('clampShare limits to 0..1 and converts NaN to 0', () => {
  expect([-1, 0, 0.3, 1, 7, Number.NaN].map(clampShare)).toEqual([0, 0, 0.3, 1, 1, 0]);
});
