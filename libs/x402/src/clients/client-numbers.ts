/**
 * The clock the clients' deadlines are counted from, in seconds since the epoch. Any will do: whether a deadline
 * can be signed does not depend on the hour, and a pure library has no clock.
 */
const NOW_SECONDS = 1_800_000_000;
/** No amount that fits 256 bits needs more, whatever notation and spaces it comes in. */
const MAX_NUMBER_LENGTH = 1_000;

export const UINT256 = 1n << 256n;
export const UINT64 = 1n << 64n;

/**
 * What `BigInt(value)` makes of a JSON value, which is how the clients read an amount: they take numbers, texts
 * in hexadecimal, spaces around digits and nothing at all for zero.
 *
 * @param limit the first value that is too large to sign
 * @returns false when it throws, or when the result is negative or beyond the limit
 */
export function isClientInteger(value: unknown, limit: bigint): boolean {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return false;
  try {
    // The clients pass on whatever the challenge holds; so must this, or it would be stricter than they are.
    const amount = BigInt(value as string);
    return amount >= 0n && amount < limit;
  } catch {
    return false;
  }
}

/**
 * True when a deadline counted from now by this timeout can be signed. Added as JavaScript adds: a timeout that
 * is text is put behind the digits of the time.
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

/** The same for the version 1 client, which parses a whole number first and adds it as one. */
export function isV1Timeout(maxTimeoutSeconds: unknown): boolean {
  return (
    typeof maxTimeoutSeconds === 'number' &&
    isClientInteger(Math.floor(NOW_SECONDS + maxTimeoutSeconds), UINT256)
  );
}

/**
 * True when the version 1 client can put a value into its payment: it encodes the JSON text with `btoa`, which
 * knows Latin-1 only. Source: x402 1.2, `safeBase64Encode`.
 */
export function isEncodableByV1(value: unknown): boolean {
  try {
    return !/[^\x00-\xff]/.test(JSON.stringify([value]));
  } catch {
    // Nested deeper than JSON can be written again.
    return false;
  }
}
