import { parseDecimal, toUnits } from '@touchstone/common';

/**
 * Rounds half up by the decimal value of a number, not by its binary representation. The number is first rounded to six
 * further decimals, which removes floating-point noise and differences between machines. For example, 64.95 is stored
 * as 64.949999999999996 and still becomes 65.0 with one decimal.
 *
 * @param value number with a magnitude below a billion
 * @param decimals number of decimals to keep, 0 to 6
 */
export function roundHalfUp(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.floor(Number((value * factor).toFixed(6)) + 0.5) / factor;
}

/** Limits a share to 0..1; NaN becomes 0. */
export function clampShare(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}

/** Number of decimals of a parsed dollar amount. Amounts have six decimals, but a median of amounts may have more. */
const SCALE = 18;

/**
 * Parses a dollar amount into a whole number of 10^-18 dollars, for exact comparison. Cuts off any decimals beyond
 * these 18.
 *
 * @returns null if the text is not an amount
 */
export function parseUsd(text: string | null | undefined): bigint | null {
  const amount = parseDecimal(text ?? '');
  return amount === null ? null : toUnits(amount, SCALE);
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Computes the 95 % Wilson score interval of a share observed in n observations. The interval also holds for a mean of
 * values in 0..1: their variance is never above the variance of a binary variable with the same mean. Source: E. B.
 * Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
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
