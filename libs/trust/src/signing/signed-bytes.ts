import canonicalize from 'canonicalize';

/**
 * What is signed of a report: the UTF-8 bytes of its canonical JSON (RFC 8785) without its `signature` member, so that
 * names in another order and other spaces are the same report.
 *
 * @returns null for what has no canonical form, such as half a surrogate pair
 */
export function signedBytes(report: object): Uint8Array<ArrayBuffer> | null {
  const unsigned = Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'signature'));
  try {
    const json = canonicalize(unsigned);
    return json === undefined ? null : new TextEncoder().encode(json);
  } catch {
    return null;
  }
}
