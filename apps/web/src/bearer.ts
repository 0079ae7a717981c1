import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Does an `Authorization` header carry this bearer token? It takes the same time whatever it carries.
 *
 * @param authorization The header as received, or null.
 */
export function carriesToken(authorization: string | null, token: string): boolean {
  const presented = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(presented), digest(token));
}

/** Digests have one length, which is what the comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
