import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampShare, roundHalfUp, parseUsd, computeWilsonInterval } from './numbers.ts';

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

test('parseUsd parses dollar amounts exactly and rejects other texts', () => {
  expect(parseUsd('0.010000')).toBe(10n ** 16n);
  expect(parseUsd('100000.000001')).toBe(100_000_000_001n * 10n ** 12n);
  expect(parseUsd('7')).toBe(7n * 10n ** 18n);
  expect(parseUsd('0.0123456789012345678999')).toBe(12_345_678_901_234_567n);
  for (const text of ['', '-1', '1e3', '$1', '1.', '.5', 'NaN', null, undefined])
    expect(parseUsd(text)).toBeNull();
});

test.each([
  [0.5, 10, 0.2366, 0.7634],
  [1, 10, 0.7225, 1],
  [0, 10, 0, 0.2775],
  [0.9, 100, 0.8256, 0.9448],
])('the interval of share %d in %i observations is %d to %d', (...[share, n, low, high]) => {
  const interval = computeWilsonInterval(share, n);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('no observations give the interval 0 to 1', () => {
  expect(computeWilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test('the interval contains the share, stays in 0..1 and narrows with more observations', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 100_000 }), (p, n) => {
      const { low, high } = computeWilsonInterval(p, n);
      const more = computeWilsonInterval(p, n * 2);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low <= p && p <= high).toBe(true);
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});
