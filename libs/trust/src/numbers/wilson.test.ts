import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWilsonInterval } from './wilson.ts';

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
