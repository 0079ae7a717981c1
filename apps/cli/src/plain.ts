/** Controls move the cursor and color the screen; formats and separators turn the direction of text and break lines. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const OBEYED_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const OBEYED_BUT_LINE_ENDS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside as one line that a terminal shows and does not obey.
 *
 * @param limit most UTF-16 units to keep; a longer text ends in an ellipsis
 */
export function plain(text: string, limit = 1_000): string {
  const line = text
    .slice(0, limit + 1)
    .replace(/\s+/gu, ' ')
    .replace(OBEYED, '')
    .toWellFormed()
    .trim();
  return text.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** The same for text of several lines, uncut. */
export function plainLines(text: string): string {
  return text.replace(OBEYED_BUT_LINE_ENDS, '').toWellFormed();
}

/**
 * JSON text that a terminal does not obey either: what it would is written as escapes, which change nothing of the
 * value, as such characters stand in strings only.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(OBEYED, escaped);
}

function escaped(found: string): string {
  return found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * A JSON text, value for value and in the layout it came in, as a terminal shows and does not obey: such characters are
 * written as escapes, which in strings mean the same, and only there can they stand.
 */
export function plainJsonText(text: string): string {
  // Between values a carriage return is no more than a space, but it would let one line hide another.
  return text.replace(/\r/g, '').replace(OBEYED_BUT_LAYOUT, escaped);
}
