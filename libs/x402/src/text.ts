/**
 * Advertised text as it may be kept and shown: one line, well-formed, of bounded length.
 *
 * Control characters become spaces (a database refuses NUL, a terminal obeys the others) and half a
 * surrogate pair becomes U+FFFD (JSON stores refuse it).
 *
 * @param value anything out of a parsed JSON document
 * @param limit the longest text kept, in UTF-16 units
 * @returns null when it is no text or nothing is left of it
 */
export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut before anything else, so that the work does not grow with what a stranger sent.
  const text = value
    .slice(0, limit)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? null : text;
}

/** An advertised value as a message may repeat it: short, quoted, and without looking inside an object. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `"${cleanText(value, 60) ?? ''}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  return value === undefined ? 'missing' : `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}
