/**
 * Converts untrusted provider text to one line without control and format characters. Bidirectional control characters
 * are removed because they could reorder the surrounding text.
 *
 * @param text Untrusted text.
 * @param limit Maximum number of characters; a longer text ends with an ellipsis.
 */
export function toPlainText(text: string, limit = 1000): string {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/\s+/gu, ' ')
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim(),
  ];
  return characters.length <= limit
    ? characters.join('')
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}
