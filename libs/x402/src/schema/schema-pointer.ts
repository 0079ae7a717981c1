import { readMember } from '../json/read-member.ts';

/** Target of a reference within the same document. */
export type PointerTarget =
  | { readonly state: 'found'; readonly value: unknown }
  | { readonly state: 'dangling' }
  /** References by anchor or by URL are not followed. */
  | { readonly state: 'unknown' };

/**
 * Resolves a reference of the form `#` or `#/…`: a JSON pointer as a URI fragment (RFC 6901, 6).
 *
 * @param root the document
 * @param reference the value of a `$ref`
 */
export function resolvePointer(root: unknown, reference: string): PointerTarget {
  if (reference === '#') return { state: 'found', value: root };
  if (!reference.startsWith('#/')) return { state: 'unknown' };
  let value = root;
  for (const token of reference.slice(2).split('/')) value = readMember(value, decodeToken(token));
  return value === undefined ? { state: 'dangling' } : { state: 'found', value };
}

/** Decodes a pointer token. A token with invalid percent-encoding is used unchanged. */
function decodeToken(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
