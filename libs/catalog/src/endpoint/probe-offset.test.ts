import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeProbeOffsetSeconds } from './probe-offset.ts';

it('is the same every time and lies in the interval', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 1_000_000 }), (id, interval) => {
      const offset = computeProbeOffsetSeconds(id, interval);
      expect(offset).toBe(computeProbeOffsetSeconds(id, interval));
      expect(Number.isInteger(offset) && offset >= 0 && offset < interval).toBe(true);
    }),
  );
});

it('does not change from one release to the next', () => {
  expect([
    computeProbeOffsetSeconds('abcdefgh27', 1_800),
    computeProbeOffsetSeconds('abcdefgh27', 300),
  ]).toEqual([923, 23]);
});

it('spreads endpoints evenly', () => {
  const perMinute = Array.from({ length: 30 }, () => 0);
  for (let index = 0; index < 30_000; index += 1) {
    const minute = Math.floor(computeProbeOffsetSeconds(`endpoint-${index}`, 1_800) / 60);
    perMinute[minute] = (perMinute[minute] ?? 0) + 1;
  }
  // Each minute should have 1,000 of the offsets. A deviation of 155 is five standard deviations.
  for (const count of perMinute) expect(Math.abs(count - 1_000)).toBeLessThan(160);
});

it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'refuses an interval of %d seconds',
  (interval) => {
    expect(() => computeProbeOffsetSeconds('abcdefgh27', interval)).toThrow(RangeError);
  },
);
