/** Zero-width space. After the `@` of a mention, it makes the mention plain text. */
const BREAK = '\u200b';

/** Maximum length of a value in a chat message, in UTF-16 code units. The endpoint page has the whole value. */
const MAX_VALUE_CHARS = 150;

/**
 * Formats unverified text as a code span without any markup or mention of its own. Long text is cut in the
 * middle, so that both ends of a URL or an address can be compared.
 */
export function toCodeSpan(text: string, escape: (part: string) => string): string {
  const half = MAX_VALUE_CHARS / 2;
  const short = text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
  // A backtick would end the code span. Some services recognize mentions also inside of code.
  const harmless = short
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replaceAll('`', "'")
    .replaceAll('@', `@${BREAK}`)
    .trim();
  return `\`${harmless === '' ? '?' : escape(harmless)}\``;
}
