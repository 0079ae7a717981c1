/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Computes the 95 % Wilson score interval of a share observed in n observations. The interval also holds for a mean of
 * values in 0..1: their variance is never above that of a binary variable with the same mean.
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
 *
 * @param share observed, 0..1
 * @param n number of observations; 0 gives the interval 0 to 1
 */
export function computeWilsonInterval(share: number, n: number): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const shrink = 1 + (Z * Z) / n;
  const centre = (share + (Z * Z) / (2 * n)) / shrink;
  const half = (Z / shrink) * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  // For a share of 0 or 1, rounding errors may put the share just outside the interval. The interval is then extended
  // to the share.
  return {
    low: Math.max(0, Math.min(share, centre - half)),
    high: Math.min(1, Math.max(share, centre + half)),
  };
}
