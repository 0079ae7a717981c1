/**
 * Breaks text into lines at spaces. A word longer than a line is not broken, so that addresses and URLs can be copied.
 *
 * @param width maximum width of a line including the indent, in columns
 */
export function wrap(text: string, indent: string, width: number): string[] {
  return wrapWords(text.split(' '), indent, width);
}

/** Breaks text into lines like `wrap`, and also breaks words longer than a line, as in Chinese or in untrusted text. */
export function wrapAnywhere(text: string, indent: string, width: number): string[] {
  const columns = Math.max(2, width - indent.length);
  const words = text.split(' ').flatMap((word) => splitColumns(word, columns));
  return wrapWords(words, indent, width);
}

function wrapWords(words: readonly string[], indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + countColumns(longer) > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}

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
function splitColumns(text: string, columns: number): string[] {
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
