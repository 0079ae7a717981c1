const MICRO_DECIMALS = 6;
/**
 * Maximum decimals of a token. No payment token has more decimals, and larger powers of 10 would take long to compute.
 */
const MAX_DECIMALS = 77;
/** Largest amount of an EVM token: 256 bits, 78 digits. */
const MAX_AMOUNT = (1n << 256n) - 1n;
const WHOLE_NUMBER = /^[0-9]{1,78}$/;

/**
 * Converts atomic units of a dollar token to US dollars with exactly six decimals, by integer arithmetic.
 *
 * An amount of a token with more than six decimals is rounded half up to a micro-dollar. The error is at most half a
 * micro-dollar.
 *
 * @param amount atomic units, not negative
 * @param decimals decimals of the token, 0 to 77
 * @throws RangeError for a negative amount or invalid decimals, which are errors of the caller
 * @example formatAtomicUsd(1_500n, 6) // '0.001500'
 */
export function formatAtomicUsd(amount: bigint, decimals: number): string {
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
 * Converts atomic units of a dollar token to units of 10^-77 US dollars. Prices in tokens with different decimals can
 * then be compared without rounding.
 *
 * @param amount atomic units
 * @param decimals decimals of the token, 0 to 77
 */
export function toCommonScale(amount: bigint, decimals: number): bigint {
  return amount * 10n ** BigInt(MAX_DECIMALS - decimals);
}

/**
 * Parses an advertised amount in atomic units.
 *
 * @param value a decimal string; some sellers write a number instead
 * @returns null unless the value is a non-negative whole number of at most 256 bits
 */
export function parseAmount(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return null;
  const amount = BigInt(value);
  return amount <= MAX_AMOUNT ? amount : null;
}
