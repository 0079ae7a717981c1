/**
 * Time from which payment deadlines are computed, in seconds since the epoch. It is fixed, because this package has no
 * clock and the current time would give the same results.
 */
const NOW_SECONDS = 1_800_000_000;
/**
 * Maximum length of a number written as text, in UTF-16 units. A 256-bit number needs at most 258 (binary notation).
 */
const MAX_NUMBER_LENGTH = 1_000;

/** Smallest number that needs more than 256 bits. */
export const UINT256 = 1n << 256n;
/** Smallest number that needs more than 64 bits. */
export const UINT64 = 1n << 64n;

/**
 * Converts an amount as the clients do, with `BigInt(value)`. It accepts numbers, hexadecimal text, digits with spaces
 * around them, and empty text as zero.
 *
 * @param limit smallest amount that is too large to sign
 * @returns null when the conversion throws, when the amount is negative, and when it is not below the limit
 */
export function toClientInteger(value: unknown, limit: bigint): bigint | null {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return null;
  try {
    // Like the clients, passes a value of any type to BigInt. A type check would reject values that the clients accept.
    const amount = BigInt(value as string);
    return amount >= 0n && amount < limit ? amount : null;
  } catch {
    return null;
  }
}

/**
 * Returns the number of seconds for which a payment of the version 2 client is valid; null when the client cannot sign
 * the deadline. The client adds the timeout to the current time with the operator `+`, so a timeout given as text is
 * appended to the digits of the time.
 */
export function computeV2Validity(maxTimeoutSeconds: unknown): bigint | null {
  if (typeof maxTimeoutSeconds === 'string' && maxTimeoutSeconds.length > MAX_NUMBER_LENGTH) return null;
  try {
    const deadline = NOW_SECONDS + (maxTimeoutSeconds as number);
    return toValidity(deadline.toString());
  } catch {
    return null;
  }
}

/**
 * Returns the number of seconds for which a payment of the version 1 client is valid; null when the client cannot sign
 * the deadline. The timeout must be a number.
 */
export function computeV1Validity(maxTimeoutSeconds: unknown): bigint | null {
  return typeof maxTimeoutSeconds === 'number'
    ? toValidity(Math.floor(NOW_SECONDS + maxTimeoutSeconds))
    : null;
}

function toValidity(deadline: unknown): bigint | null {
  const seconds = toClientInteger(deadline, UINT256);
  return seconds === null ? null : seconds - BigInt(NOW_SECONDS);
}

/**
 * Returns true when the version 1 client can encode a value in its payment. The client encodes JSON text with `btoa`,
 * which supports only Latin-1 characters. Source: x402 1.2, `safeBase64Encode`.
 */
export function isEncodableByV1(value: unknown): boolean {
  try {
    return !/[^\x00-\xff]/.test(JSON.stringify([value]));
  } catch {
    // JSON.stringify throws for values that are nested too deeply.
    return false;
  }
}
