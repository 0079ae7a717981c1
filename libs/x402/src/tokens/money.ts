const MICRO_DECIMALS = 6;
/** No token anyone pays with has more; 10 to a greater power would only cost time. */
const MAX_DECIMALS = 77;
/** The largest amount an EVM token can hold has 78 digits. */
const MAX_AMOUNT = (1n << 256n) - 1n;
const WHOLE_NUMBER = /^[0-9]{1,78}$/;

/**
 * Atomic units of a dollar token as US dollars with exactly six decimals. Computed on integers.
 *
 * A token with more than six decimals can hold less than a micro-dollar: such an amount is rounded
 * half up to the nearest one, so that at most half a micro-dollar is ever lost or added.
 *
 * @param amount atomic units, not negative
 * @param decimals decimals of the token, 0 to 77
 * @throws RangeError on a negative amount or impossible decimals, which are errors of the caller
 * @example atomicToUsd(1_500n, 6) // '0.001500'
 */
export function atomicToUsd(amount: bigint, decimals: number): string {
  if (amount < 0n) throw new RangeError(`A token amount cannot be negative: ${String(amount)}`);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new RangeError(`Token decimals must be a whole number from 0 to 77: ${String(decimals)}`);
  }
  const digits = toMicroDollars(amount, decimals)
    .toString()
    .padStart(MICRO_DECIMALS + 1, '0');
  return `${digits.slice(0, -MICRO_DECIMALS)}.${digits.slice(-MICRO_DECIMALS)}`;
}

function toMicroDollars(amount: bigint, decimals: number): bigint {
  if (decimals <= MICRO_DECIMALS) return amount * 10n ** BigInt(MICRO_DECIMALS - decimals);
  const unit = 10n ** BigInt(decimals - MICRO_DECIMALS);
  return (amount + unit / 2n) / unit;
}

/**
 * Atomic units of a dollar token on a scale shared by all tokens, so that prices in tokens of different decimals
 * can be compared without rounding.
 *
 * @param amount atomic units
 * @param decimals decimals of the token, 0 to 77
 */
export function toCommonScale(amount: bigint, decimals: number): bigint {
  return amount * 10n ** BigInt(MAX_DECIMALS - decimals);
}

/**
 * Atomic units out of whatever a seller wrote.
 *
 * @param value a decimal string, or a number where a seller wrote one
 * @returns null unless it is a whole number that fits 256 bits
 */
export function parseAmount(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return null;
  const amount = BigInt(value);
  return amount <= MAX_AMOUNT ? amount : null;
}
