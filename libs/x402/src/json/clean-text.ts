/**
 * Characters that are invisible or change how other characters are displayed: control characters, line and paragraph
 * separators, direction marks, zero-width spaces and Unicode tags. Joiners are not included, because emoji and some
 * scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const INVISIBLE_RUNS = new RegExp(`${INVISIBLE.source}+`, 'gu');
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const MAX_QUOTE_LENGTH = 80;

/**
 * Converts untrusted text to one line that is safe to store and show.
 *
 * Replaces invisible characters and control characters by spaces: databases reject NUL, and terminals interpret other
 * control characters. Replaces half a surrogate pair, which JSON columns reject, by U+FFFD.
 *
 * @param value any value of a parsed JSON document
 * @param limit maximum length, in UTF-16 units; longer text is truncated
 * @returns null when the value is not text, and when the resulting text is empty
 */
export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  // Truncates before the replacement, so that the work does not grow with untrusted input.
  const text = removeInvisible(value.slice(0, limit)).trim();
  return text === '' ? null : text;
}

/** Replaces each run of invisible characters by a space, and each half of a surrogate pair by U+FFFD. */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE_RUNS, ' ').toWellFormed();
}

/**
 * Formats an untrusted value for a message. Text is quoted and limited to 80 characters; an object or a list is named
 * by its type only. Invisible characters are written as escapes, because they may be the fault that the message
 * reports.
 */
export function quote(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  return value === undefined ? 'missing' : `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

function quoteText(text: string): string {
  const shown = JSON.stringify(text.slice(0, MAX_QUOTE_LENGTH).toWellFormed());
  const escaped = shown.replace(EACH_INVISIBLE, escapeInvisible);
  return text.length > MAX_QUOTE_LENGTH ? `${escaped.slice(0, -1)}…"` : escaped;
}

function escapeInvisible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
