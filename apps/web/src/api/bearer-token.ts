import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns true if an `Authorization` header contains the given bearer token. The comparison takes constant time.
 *
 * @param authorization `Authorization` header as received, or null.
 */
export function hasBearerToken(authorization: string | null, token: string): boolean {
  const presented = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(presented), hash(token));
}

/** Hashes a token, because `timingSafeEqual` needs inputs of equal length. */
function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
