/**
 * Rounds half up by the decimal value of a number, not by its binary representation. The number is first rounded to six
 * further decimals, which removes floating-point noise and differences between machines. For example, 64.95 is stored
 * as 64.949999999999996 and still becomes 65.0 with one decimal.
 *
 * @param value of a magnitude below a billion
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

/** Formats a share as percent with one decimal, such as `99.4 %`. */
export function formatPercent(share: number): string {
  return `${String(roundHalfUp(share * 100, 1))} %`;
}

/** Formats a count with its noun in singular or plural: `1 day`, `2 days`. */
export function formatCount(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
