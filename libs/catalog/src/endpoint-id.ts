import { createHash } from 'node:crypto';

/** RFC 4648, section 6, in lower case. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const characters = 10;

/**
 * The id of an endpoint: the first ten characters of the base32 form of the SHA-256 hash of its canonical URL.
 * Fifty bits keep a million endpoints apart with odds of 2,000 to 1, and are short enough for a badge.
 *
 * @param canonicalUrl - A URL that went through `canonicalize`.
 */
export function endpointId(canonicalUrl: string): string {
  const hash = createHash('sha256').update(canonicalUrl).digest();
  const bits = hash.readBigUInt64BE();
  return Array.from({ length: characters }, (_, index) => {
    const digit = Number((bits >> BigInt(59 - 5 * index)) & 31n);
    return alphabet.charAt(digit);
  }).join('');
}
