const UNRESERVED_CHARACTER = /^[A-Za-z0-9\-._~]$/;

/** Placeholder with percent-encoded braces. Some templates use double braces. */
const ENCODED_PLACEHOLDER = /(?:%7B)+([\w.:+*~-]+)(?:%7D)+/g;

function normalizeEscape(escape: string, digits: string | undefined): string {
  // A percent sign without two hex digits is ordinary data. It is encoded, because it could otherwise form an escape
  // with the characters that follow.
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return UNRESERVED_CHARACTER.test(character) ? character : escape.toUpperCase();
}

/**
 * Normalises the percent-encoding of a path or a query (RFC 3986, section 6.2.2) and writes placeholders as `{name}`.
 * Braces without a name between them stay percent-encoded, because they are ordinary data.
 *
 * @param text - A path or query as the URL parser serialises it.
 */
export function normalizePercentEncoding(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})?/gi, normalizeEscape)
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D')
    .replace(ENCODED_PLACEHOLDER, '{$1}');
}
