/**
 * Latencies are kept as histograms of 64 logarithmic buckets, 16 a decade from 1 ms: bucket i holds the
 * latencies of [10^(i/16), 10^((i+1)/16)) ms, so a percentile is never off by more than 15 %, and the
 * histogram of two days is the sum of theirs.
 */
export const LATENCY_BUCKETS = 64;
const PER_DECADE = 16;

/** Lower bound of a bucket in milliseconds; of bucket 64, the upper bound of the last. */
function boundOf(bucket: number): number {
  return 10 ** (bucket / PER_DECADE);
}

/**
 * The bucket a latency falls into.
 *
 * @param ms milliseconds; below 1 is bucket 0, 10,000 and above is bucket 63
 * @throws RangeError when it is not a number, which is an error of the caller
 */
export function bucketOf(ms: number): number {
  if (Number.isNaN(ms)) throw new RangeError('A latency must be a number of milliseconds');
  if (ms < 1) return 0;
  if (ms >= boundOf(LATENCY_BUCKETS)) return LATENCY_BUCKETS - 1;
  const bucket = Math.floor(PER_DECADE * Math.log10(ms));
  // The logarithm may come out a hair beside a bound; the bounds themselves decide.
  if (ms < boundOf(bucket)) return bucket - 1;
  return ms >= boundOf(bucket + 1) ? bucket + 1 : bucket;
}

/**
 * A percentile of a histogram, interpolated within its bucket on the logarithmic scale.
 *
 * @param histogram counts by bucket; buckets it is too short for are empty
 * @param q 0 to 1, as 0.95
 * @returns whole milliseconds, 1 to 10,000; null when the histogram is empty
 */
export function percentile(histogram: readonly number[], q: number): number | null {
  const counts = histogram.slice(0, LATENCY_BUCKETS);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  const rank = Math.min(1, Math.max(0, q)) * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) return Math.round(boundOf(bucket + (rank - below) / count));
    below += count;
  }
  return Math.round(boundOf(LATENCY_BUCKETS));
}

/** The histogram of all latencies of several: their sum, bucket by bucket. */
export function mergeHistograms(...histograms: readonly (readonly number[])[]): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) =>
    histograms.reduce((sum, histogram) => sum + (histogram[bucket] ?? 0), 0),
  );
}
