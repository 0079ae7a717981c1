import { createHash } from 'node:crypto';
import { base32 } from '@scure/base';

/** Length of an id. */
const ID_CHARS = 10;

/**
 * Returns the id of an endpoint: the first ten characters of the lower-case base32 form of the SHA-256 hash of its
 * canonical URL. With 50 bits, the probability of a collision among a million endpoints is about 1 in 2,000.
 *
 * @param canonicalUrl - A URL returned by `canonicalize`.
 */
export function toEndpointId(canonicalUrl: string): string {
  const hash = createHash('sha256').update(canonicalUrl).digest();
  return base32.encode(hash).slice(0, ID_CHARS).toLowerCase();
}
