/**
 * Fixed time from which payment deadlines are computed, in seconds since the epoch. A pure library has no clock, and
 * the result does not depend on the time.
 */
const NOW_SECONDS = 1_800_000_000;
/** Maximum length of a number written as text, in UTF-16 units. Amounts of 256 bits need far less in any notation. */
const MAX_NUMBER_LENGTH = 1_000;

/** First value beyond 256 bits. */
export const UINT256 = 1n << 256n;
/** First value beyond 64 bits. */
export const UINT64 = 1n << 64n;

/**
 * Returns true when the clients can sign an amount. They convert it by `BigInt(value)`, which accepts numbers,
 * hexadecimal text, digits with spaces around them, and empty text as zero.
 *
 * @param limit the smallest value that is too large to sign
 * @returns false when the conversion throws, and when the result is negative or not below the limit
 */
export function isClientInteger(value: unknown, limit: bigint): boolean {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return false;
  try {
    // The clients pass any value of the challenge to BigInt. A stricter test here would not match them.
    const amount = BigInt(value as string);
    return amount >= 0n && amount < limit;
  } catch {
    return false;
  }
}

/**
 * Returns true when the version 2 client can sign the deadline that results from a timeout. It adds as JavaScript
 * does: a timeout given as text is appended to the digits of the time.
 */
export function isV2Timeout(maxTimeoutSeconds: unknown): boolean {
  if (typeof maxTimeoutSeconds === 'string' && maxTimeoutSeconds.length > MAX_NUMBER_LENGTH) return false;
  try {
    const deadline = NOW_SECONDS + (maxTimeoutSeconds as number);
    return isClientInteger(deadline.toString(), UINT256);
  } catch {
    return false;
  }
}

/** Returns true when the version 1 client can sign the deadline that results from a timeout. It adds numbers only. */
export function isV1Timeout(maxTimeoutSeconds: unknown): boolean {
  return (
    typeof maxTimeoutSeconds === 'number' &&
    isClientInteger(Math.floor(NOW_SECONDS + maxTimeoutSeconds), UINT256)
  );
}

/**
 * Returns true when the version 1 client can put a value into its payment. It encodes the JSON text with `btoa`, which
 * supports only Latin-1. Source: x402 1.2, `safeBase64Encode`.
 */
export function isEncodableByV1(value: unknown): boolean {
  try {
    return !/[^\x00-\xff]/.test(JSON.stringify([value]));
  } catch {
    // Nested too deeply for JSON.stringify.
    return false;
  }
}
