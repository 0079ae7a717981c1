import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson.ts';

test.each([
  [0.5, 10, 0.2366, 0.7634],
  [1, 10, 0.7225, 1],
  [0, 10, 0, 0.2775],
  [0.9, 100, 0.8256, 0.9448],
])('%d of %i lies in %d to %d', (...[share, n, low, high]) => {
  const interval = wilsonInterval(share, n);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('nothing observed allows everything', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test('the interval holds the share, stays in 0..1 and narrows with observations', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, fc.integer({ min: 1, max: 100_000 }), (p, n) => {
      const { low, high } = wilsonInterval(p, n);
      const more = wilsonInterval(p, n * 2);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low <= p && p <= high).toBe(true);
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});
