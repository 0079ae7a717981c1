/**
 * Number of buckets of a latency histogram. The buckets are logarithmic, 16 per decade from 1 ms: bucket i holds
 * latencies of [10^(i/16), 10^((i+1)/16)) ms. The error of a percentile is therefore at most 16 %. All histograms have
 * the same buckets, so the histograms of several days can be added.
 */
export const LATENCY_BUCKETS = 64;
const PER_DECADE = 16;
/** Maximum error of a percentile from a histogram, in percent: the width of a bucket, rounded up. */
export const MAX_PERCENTILE_ERROR_PERCENT = Math.ceil((10 ** (1 / PER_DECADE) - 1) * 100);

/**
 * Returns the lower bound of a bucket in milliseconds. For index 64, which is one past the last bucket, the result is
 * the upper bound of the histogram.
 */
function toLowerBoundMs(bucket: number): number {
  return 10 ** (bucket / PER_DECADE);
}

/**
 * Returns the bucket of a latency.
 *
 * @param ms milliseconds; values below 1 are in bucket 0, values from 10,000 in bucket 63
 * @throws RangeError if the latency is NaN, which is a programming error
 */
export function toLatencyBucket(ms: number): number {
  if (Number.isNaN(ms)) throw new RangeError('A latency must be a number of milliseconds; received NaN.');
  if (ms < 1) return 0;
  if (ms >= toLowerBoundMs(LATENCY_BUCKETS)) return LATENCY_BUCKETS - 1;
  const bucket = Math.floor(PER_DECADE * Math.log10(ms));
  // The computed logarithm is inexact, so a latency near a bound may be off by one bucket. Comparing the latency with
  // the bounds corrects this.
  if (ms < toLowerBoundMs(bucket)) return bucket - 1;
  return ms >= toLowerBoundMs(bucket + 1) ? bucket + 1 : bucket;
}

/**
 * Computes a percentile of a histogram, interpolated within its bucket on the logarithmic scale.
 *
 * @param histogram counts by bucket; missing buckets at the end are empty
 * @param q quantile, 0 to 1, such as 0.95
 * @returns whole milliseconds, 1 to 10,000; null if the histogram is empty
 */
export function computePercentile(histogram: readonly number[], q: number): number | null {
  const counts = histogram.slice(0, LATENCY_BUCKETS);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  const rank = Math.min(1, Math.max(0, q)) * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank)
      return Math.round(toLowerBoundMs(bucket + (rank - below) / count));
    below += count;
  }
  return Math.round(toLowerBoundMs(LATENCY_BUCKETS));
}
