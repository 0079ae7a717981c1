/**
 * Characters that change how others look or hide among them: controls, line and paragraph separators, marks of
 * direction, zero-width spaces and tags. Joiners stay, as emoji and some scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const INVISIBLE_RUNS = new RegExp(`${INVISIBLE.source}+`, 'gu');
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const QUOTED_LENGTH = 80;

/**
 * Advertised text as it may be kept and shown: one line, well-formed, of bounded length, and looking like what it is.
 *
 * Control characters become spaces (a database refuses NUL, a terminal obeys the others), and so do the invisible
 * ones; half a surrogate pair becomes U+FFFD (JSON stores refuse it).
 *
 * @param value anything out of a parsed JSON document
 * @param limit the longest text kept, in UTF-16 units
 * @returns null when it is no text or nothing is left of it
 */
export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut before anything else, so that the work does not grow with what a stranger sent.
  const text = removeInvisible(value.slice(0, limit)).trim();
  return text === '' ? null : text;
}

/** A text with a space in place of what cannot be seen, and without half surrogate pairs. */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE_RUNS, ' ').toWellFormed();
}

/**
 * An advertised value as a message may repeat it: short, quoted, and without looking inside an object. What cannot
 * be seen is written as an escape, for it may be just what is wrong.
 */
export function quote(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  return value === undefined ? 'missing' : `of type ${Array.isArray(value) ? 'array' : typeof value}`;
}

function quoteText(text: string): string {
  const shown = JSON.stringify(text.slice(0, QUOTED_LENGTH).toWellFormed());
  const escaped = shown.replace(EACH_INVISIBLE, escapeInvisible);
  return text.length > QUOTED_LENGTH ? `${escaped.slice(0, -1)}…"` : escaped;
}

function escapeInvisible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
