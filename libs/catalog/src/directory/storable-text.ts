/**
 * Makes untrusted text safe to store and log: PostgreSQL rejects U+0000 and lone surrogates in JSON, and terminals
 * interpret other control characters.
 *
 * @param text - Untrusted text.
 * @param limit - Maximum length, in UTF-16 code units.
 * @returns The start of the text without control characters, well-formed.
 */
export function toStorableText(text: string, limit: number): string {
  // Cut first, so that long input costs no more work.
  return text
    .slice(0, limit)
    .replace(/\p{Cc}+/gu, '')
    .toWellFormed();
}
