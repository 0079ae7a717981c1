import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns the bearer token of an `Authorization` header (RFC 6750, section 2.1); null without one.
 *
 * @param authorization `Authorization` header as received, or null.
 */
export function readBearerToken(authorization: string | null): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/**
 * Returns true if an `Authorization` header contains the given bearer token. The comparison takes constant time.
 *
 * @param authorization `Authorization` header as received, or null.
 */
export function hasBearerToken(authorization: string | null, token: string): boolean {
  return timingSafeEqual(hash(readBearerToken(authorization) ?? ''), hash(token));
}

/** Hashes a token, because `timingSafeEqual` needs inputs of equal length. */
function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
