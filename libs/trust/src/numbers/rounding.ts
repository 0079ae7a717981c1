/**
 * Rounds half up on the decimal that a number stands for, not on the binary fraction that stores it: the
 * number is first cut to six decimals more than are kept, which removes floating noise (64.95 may be stored
 * as 64.949999999999996 and still becomes 65.0) and the last-bit differences between machines with it.
 *
 * @param value of a magnitude below a billion
 * @param decimals how many to keep, 0 to 6
 */
export function roundHalfUp(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.floor(Number((value * factor).toFixed(6)) + 0.5) / factor;
}

/** Keeps a share within 0..1; what is no number is 0. */
export function clampShare(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}

/** A share as people read it: percent with one decimal. */
export function percent(share: number): string {
  return `${String(roundHalfUp(share * 100, 1))} %`;
}

/** How many of something, in words: `1 day`, `2 days`. */
export function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}
