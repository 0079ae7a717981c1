/**
 * Characters that a terminal executes instead of showing: control and format characters, and line separators. They can
 * move the cursor, change colors, reverse the text direction or break lines.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const CONTROL_CHARACTERS_EXCEPT_LAYOUT = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const CONTROL_CHARACTERS_EXCEPT_LINE_FEED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns untrusted text as one line without control characters.
 *
 * @param limit maximum length in UTF-16 units; a longer text ends with an ellipsis
 */
export function toPlainText(text: string, limit = 1_000): string {
  const line = text
    .slice(0, limit + 1)
    .replace(/\s+/gu, ' ')
    .replace(CONTROL_CHARACTERS, '')
    .toWellFormed()
    .trim();
  return text.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** Removes all control characters except line feeds from untrusted text. */
export function toPlainLines(text: string): string {
  return text.replace(CONTROL_CHARACTERS_EXCEPT_LINE_FEED, '').toWellFormed();
}

/**
 * Serializes a value as JSON on one line, with control characters escaped. They occur only in strings, so escaping does
 * not change the value.
 */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROL_CHARACTERS, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Escapes control characters in a JSON text. Values and layout stay the same. */
export function escapeJsonText(text: string): string {
  // Carriage returns are removed, because on a terminal they let a text overwrite the beginning of its line. In JSON
  // they are only white space, so no value changes.
  return text.replace(/\r/g, '').replace(CONTROL_CHARACTERS_EXCEPT_LAYOUT, escapeCharacter);
}
