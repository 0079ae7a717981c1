/** Characters that a terminal shows above or below the previous character. */
const COMBINING = /[\p{Mn}\p{Me}]/u;
/** Characters that a terminal shows in two columns: East Asian scripts and punctuation, and emoji. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** Returns the number of terminal columns of a text without control characters. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += countCharacterColumns(character);
  return columns;
}

/**
 * Splits a text into parts of at most `columns` columns. Combining characters stay with their base character.
 *
 * @param columns at least 2, the width of the widest character
 */
export function splitColumns(text: string, columns: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of text) {
    const more = countCharacterColumns(character);
    if (used + more > columns) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += character;
    used += more;
  }
  return [...parts, part];
}

function countCharacterColumns(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
