import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, LATENCY_BUCKETS, mergeHistograms, percentile } from './latency-histogram.ts';

function histogramOf(latencies: readonly number[]): number[] {
  const histogram = Array.from({ length: LATENCY_BUCKETS }, () => 0);
  for (const ms of latencies) histogram[bucketOf(ms)] = (histogram[bucketOf(ms)] ?? 0) + 1;
  return histogram;
}

const latency = fc.double({ min: 1, max: 9_999, noNaN: true });

describe('bucketOf', () => {
  test.each([
    [-5, 0],
    [0, 0],
    [0.99, 0],
    [1, 0],
    [1.15, 0],
    [1.16, 1],
    [10, 16],
    [100, 32],
    [150, 34],
    [1_000, 48],
    [9_999, 63],
    [10_000, 63],
    [1e9, 63],
    [Number.POSITIVE_INFINITY, 63],
  ])('%d ms is in bucket %i', (ms, bucket) => {
    expect(bucketOf(ms)).toBe(bucket);
  });

  test('every lower bound is in its own bucket, and just below it in the one before', () => {
    for (let bucket = 1; bucket < LATENCY_BUCKETS; bucket += 1) {
      expect(bucketOf(10 ** (bucket / 16))).toBe(bucket);
      expect(bucketOf(10 ** (bucket / 16) * (1 - 2 ** -52))).toBe(bucket - 1);
    }
  });

  test('a latency lies between the bounds of its bucket', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        const bucket = bucketOf(ms);
        expect(10 ** (bucket / 16) <= ms && ms < 10 ** ((bucket + 1) / 16)).toBe(true);
      }),
    );
  });

  test('what is no number is an error of the caller', () => {
    expect(() => bucketOf(Number.NaN)).toThrow(RangeError);
  });
});

describe('percentile', () => {
  test('of nothing is nothing', () => {
    expect(percentile([], 0.5)).toBeNull();
    expect(percentile(histogramOf([]), 0.5)).toBeNull();
  });

  test('is interpolated geometrically within a bucket', () => {
    const histogram = histogramOf([100, 100, 100, 100]);
    expect([0, 0.5, 1].map((q) => percentile(histogram, q))).toEqual([100, 107, 115]);
  });

  test('finds the bucket that holds it', () => {
    const histogram = histogramOf([
      ...Array.from({ length: 90 }, () => 20),
      ...Array.from({ length: 10 }, () => 3_000),
    ]);
    expect(percentile(histogram, 0.5)).toBeLessThan(25);
    expect(percentile(histogram, 0.95)).toBeGreaterThan(2_700);
  });

  test('never falls with q, is whole, and lies in the bucket of the latency it stands for', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 60 }),
        share,
        share,
        (latencies, one, other) => {
          const histogram = histogramOf(latencies);
          const low = percentile(histogram, Math.min(one, other)) ?? Number.NaN;
          const high = percentile(histogram, Math.max(one, other)) ?? Number.NaN;
          expect(low).toBeLessThanOrEqual(high);
          expect(Number.isInteger(low)).toBe(true);
          const sorted = latencies.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(0, Math.ceil(one * sorted.length) - 1)] ?? 0;
          const bucket = bucketOf(exact);
          const found = percentile(histogram, one) ?? Number.NaN;
          expect(found).toBeGreaterThanOrEqual(10 ** (bucket / 16) - 0.5);
          expect(found).toBeLessThanOrEqual(10 ** ((bucket + 1) / 16) + 0.5);
        },
      ),
    );
  });
});

test('the histogram of several days is the sum of theirs', () => {
  fc.assert(
    fc.property(fc.array(fc.array(latency, { maxLength: 20 }), { maxLength: 4 }), (days) => {
      expect(mergeHistograms(...days.map(histogramOf))).toEqual(histogramOf(days.flat()));
    }),
  );
  expect(mergeHistograms([1, 2], [3]).slice(0, 3)).toEqual([4, 2, 0]);
});
