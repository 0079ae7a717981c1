/** Maximum length of a tag in characters (UTF-16 units). */
export const MAX_TAG_LENGTH = 32;

/**
 * Normalizes a tag, so that tags that look equal are equal: invisible characters are removed, each run of white space is
 * one space, and the text is in lower case and in Unicode normalization form KC. The function is idempotent.
 */
export function normalizeTag(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .normalize('NFKC');
}

/** Returns true for a normalized text that can be a tag. */
export function isTag(text: string): boolean {
  return text !== '' && text.length <= MAX_TAG_LENGTH;
}
