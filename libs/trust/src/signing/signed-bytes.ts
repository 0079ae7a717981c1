import canonicalize from 'canonicalize';

/**
 * Returns the signed bytes of a document: the UTF-8 bytes of its canonical JSON (RFC 8785) without the `signature` member.
 * Member order and whitespace of the JSON text therefore do not matter.
 *
 * @returns null if the document has no canonical form, for example because of a lone surrogate
 */
export function toSignedBytes(document: object): Uint8Array<ArrayBuffer> | null {
  const unsigned = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'signature'));
  try {
    const json = canonicalize(unsigned);
    return json === undefined ? null : new TextEncoder().encode(json);
  } catch {
    return null;
  }
}
