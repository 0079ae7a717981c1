import { createHash, timingSafeEqual } from 'node:crypto';
import { TEXT_LIMITS } from '@touchstone/contract';

/**
 * Returns the bearer token of an `Authorization` header (RFC 6750, section 2.1), or null if the header has no bearer
 * token.
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

/**
 * Returns the path of a URL without the query. The path is percent-encoded, so it contains only ASCII characters.
 * Errors repeat the path in their member `instance`, so the path is cut to the maximum length of this member.
 */
export function getRequestPath(url: string): string {
  return (URL.parse(url)?.pathname ?? '/').slice(0, TEXT_LIMITS.resource);
}

/**
 * Returns true if an `If-None-Match` header contains `*` or the given entity tag. The comparison is weak (RFC 9110,
 * section 13.1.2).
 *
 * @param ifNoneMatch `If-None-Match` header as received; null or undefined without this header.
 * @param etag Strong entity tag of the response.
 */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
