/**
 * Provider text as one line of plain characters. Control characters and the marks that turn the direction of text
 * are taken out: with them a stranger's name could reorder the words of the page around it.
 *
 * @param text Anything a provider wrote.
 * @param limit Most characters to keep; a longer text ends in an ellipsis.
 */
export function plainText(text: string, limit = 1000): string {
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
