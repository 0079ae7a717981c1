import { readMember } from '../json/read-member.ts';

/** What a reference within its own document points at. */
export type PointerTarget =
  | { readonly state: 'found'; readonly value: unknown }
  | { readonly state: 'dangling' }
  /** By an anchor or by a URL, which are not followed. */
  | { readonly state: 'unknown' };

/**
 * Follows a reference of the form `#` or `#/…`, a JSON pointer as a URI fragment (RFC 6901, 6).
 *
 * @param root the document
 * @param reference the value of a `$ref`
 */
export function resolvePointer(root: unknown, reference: string): PointerTarget {
  if (reference === '#') return { state: 'found', value: root };
  if (!reference.startsWith('#/')) return { state: 'unknown' };
  let value = root;
  for (const token of reference.slice(2).split('/')) value = readMember(value, unescape(token));
  return value === undefined ? { state: 'dangling' } : { state: 'found', value };
}

/** A token that is no valid encoding names nothing a reader would agree on; it is looked for as it stands. */
function unescape(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
