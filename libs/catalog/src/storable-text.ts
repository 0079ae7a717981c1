/**
 * A stranger's text as it may be stored: PostgreSQL refuses U+0000 and halves of surrogate pairs in JSON, and the
 * other control characters would act in a terminal that shows a log.
 *
 * @param text - Anything.
 * @param limit - The longest text kept, in UTF-16 units.
 * @returns The start of the text without control characters, well-formed.
 */
export function storableText(text: string, limit: number): string {
  // Cut first, so that the work does not grow with what a stranger sent.
  return text
    .slice(0, limit)
    .replace(/\p{Cc}+/gu, '')
    .toWellFormed();
}
