import { cleanText } from '@touchstone/x402';

/** Returns untrusted text as one safe line of at most `limit` characters, with an ellipsis where the text is cut. */
export function cutText(text: string, limit: number): string {
  const isCut = text.length > limit;
  const cleaned = cleanText(isCut ? text.slice(0, limit - 1) : text, limit) ?? '';
  return isCut ? `${cleaned}…` : cleaned;
}

/** Invisible characters and lone surrogates, except spaces, tabs and line ends. */
const INVISIBLE = /(?![ \t\n]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/gu;
/** Escape or surrogate pair that ends after its beginning. */
const INCOMPLETE_END = /\\(?:u(?:\{[\da-f]*)?)?$|[\ud800-\udbff]$/;

/**
 * Quotes untrusted text, with an ellipsis where the text is cut. Invisible characters are written as escapes such as
 * `\u{200b}`, because they may be the fault. Databases and terminals accept the result.
 *
 * @param limit maximum length of the quotation, in UTF-16 units
 */
export function quoteText(text: string, limit: number): string {
  const escaped = text.slice(0, limit).replace(INVISIBLE, escapeCharacter);
  if (text.length <= limit && escaped.length <= limit) return escaped;
  return `${escaped.slice(0, limit - 1).replace(INCOMPLETE_END, '')}…`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
