import { readMember } from '../json/read-member.ts';

/** Result of resolving a reference within a document. */
export type PointerTarget =
  | { readonly state: 'found'; readonly value: unknown }
  | { readonly state: 'dangling' }
  /** The reference is an anchor or a URL, which is not resolved. */
  | { readonly state: 'unknown' };

/**
 * Resolves a reference of the form `#` or `#/…`, which is a JSON pointer as a URI fragment (RFC 6901, 6).
 *
 * @param root document that contains the reference
 * @param reference value of a `$ref`
 */
export function resolvePointer(root: unknown, reference: string): PointerTarget {
  if (reference === '#') return { state: 'found', value: root };
  if (!reference.startsWith('#/')) return { state: 'unknown' };
  let value = root;
  for (const token of reference.slice(2).split('/')) value = readMember(value, decodeToken(token));
  return value === undefined ? { state: 'dangling' } : { state: 'found', value };
}

/** Decodes one segment of a JSON pointer. Does not decode percent-encoding if it is invalid. */
function decodeToken(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
