/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson score interval at 95 % of a share seen in n observations. It holds for a mean of values in 0..1 as
 * well: their variance is never above that of a yes-or-no with the same mean, so it is wide enough.
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
 *
 * @param share observed, 0..1
 * @param n observations; none tell nothing, which is 0 to 1
 */
export function wilsonInterval(share: number, n: number): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const shrink = 1 + (Z * Z) / n;
  const centre = (share + (Z * Z) / (2 * n)) / shrink;
  const half = (Z / shrink) * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  // At the ends rounding may leave the share itself a hair outside.
  return {
    low: Math.max(0, Math.min(share, centre - half)),
    high: Math.min(1, Math.max(share, centre + half)),
  };
}
