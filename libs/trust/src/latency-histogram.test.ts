import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toLatencyBucket, LATENCY_BUCKETS, computePercentile } from './latency-histogram.ts';

function createHistogram(latencies: readonly number[]): number[] {
  const histogram = Array.from({ length: LATENCY_BUCKETS }, () => 0);
  for (const ms of latencies) histogram[toLatencyBucket(ms)] = (histogram[toLatencyBucket(ms)] ?? 0) + 1;
  return histogram;
}

const latency = fc.double({ min: 1, max: 9_999, noNaN: true });

describe('bucketOf', () => {
  test.each([
    [-5, 0],
    [1, 0],
    [1.16, 1],
    [100, 32],
    [9_999, 63],
    [Number.POSITIVE_INFINITY, 63],
  ])('%d ms is in bucket %i', (ms, bucket) => {
    expect(toLatencyBucket(ms)).toBe(bucket);
  });

  test('a lower bound is in its own bucket, and a value just below it in the previous bucket', () => {
    for (let bucket = 1; bucket < LATENCY_BUCKETS; bucket += 1) {
      expect(toLatencyBucket(10 ** (bucket / 16))).toBe(bucket);
      expect(toLatencyBucket(10 ** (bucket / 16) * (1 - 2 ** -52))).toBe(bucket - 1);
    }
  });

  test('a latency lies between the bounds of its bucket', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        const bucket = toLatencyBucket(ms);
        expect(10 ** (bucket / 16) <= ms && ms < 10 ** ((bucket + 1) / 16)).toBe(true);
      }),
    );
  });

  test('throws a RangeError for NaN', () => {
    expect(() => toLatencyBucket(Number.NaN)).toThrow(RangeError);
  });
});

describe('percentile', () => {
  test('is null for an empty histogram', () => {
    expect(computePercentile([], 0.5)).toBeNull();
    expect(computePercentile(createHistogram([]), 0.5)).toBeNull();
  });

  test('is interpolated geometrically within a bucket', () => {
    const histogram = createHistogram([100, 100, 100, 100]);
    expect([0, 0.5, 1].map((q) => computePercentile(histogram, q))).toEqual([100, 107, 115]);
  });

  test('is in the bucket that contains the quantile', () => {
    const histogram = createHistogram([
      ...Array.from({ length: 90 }, () => 20),
      ...Array.from({ length: 10 }, () => 3_000),
    ]);
    expect(computePercentile(histogram, 0.5)).toBeLessThan(25);
    expect(computePercentile(histogram, 0.95)).toBeGreaterThan(2_700);
  });

  test('is a whole number, never decreases with q, and lies in the bucket of the exact percentile', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 60 }),
        share,
        share,
        (latencies, one, other) => {
          const histogram = createHistogram(latencies);
          const low = computePercentile(histogram, Math.min(one, other)) ?? Number.NaN;
          const high = computePercentile(histogram, Math.max(one, other)) ?? Number.NaN;
          expect(low).toBeLessThanOrEqual(high);
          expect(Number.isInteger(low)).toBe(true);
          const sorted = latencies.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(0, Math.ceil(one * sorted.length) - 1)] ?? 0;
          const bucket = toLatencyBucket(exact);
          const found = computePercentile(histogram, one) ?? Number.NaN;
          expect(found).toBeGreaterThanOrEqual(10 ** (bucket / 16) - 0.5);
          expect(found).toBeLessThanOrEqual(10 ** ((bucket + 1) / 16) + 0.5);
        },
      ),
    );
  });
});
