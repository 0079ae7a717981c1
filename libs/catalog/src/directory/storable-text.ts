/**
 * Shortens untrusted text and removes characters that are unsafe to store or log. PostgreSQL rejects U+0000 and lone
 * surrogates in JSON, and terminals interpret other control characters.
 *
 * @param text - Untrusted text.
 * @param limit - Maximum length, in UTF-16 code units.
 * @returns The start of the text without control characters and lone surrogates.
 */
export function toStorableText(text: string, limit: number): string {
  // The text is cut before the other steps, so that their cost is bounded for long input.
  return text
    .slice(0, limit)
    .replace(/\p{Cc}+/gu, '')
    .toWellFormed();
}
