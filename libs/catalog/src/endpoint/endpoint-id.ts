import { createHash } from 'node:crypto';
import { base32 } from '@scure/base';

/** Length of an endpoint id, in base32 characters (50 bits). */
const ID_CHARS = 10;

/**
 * Returns the id of an endpoint: the first ten characters of the lower-case base32 form of the SHA-256 hash of its
 * canonical URL. With 50 bits, two of a million endpoints share an id with a probability of about 1 in 2,000.
 *
 * @param canonicalUrl - A URL returned by `canonicalize`.
 */
export function toEndpointId(canonicalUrl: string): string {
  const hash = createHash('sha256').update(canonicalUrl).digest();
  return base32.encode(hash).slice(0, ID_CHARS).toLowerCase();
}
