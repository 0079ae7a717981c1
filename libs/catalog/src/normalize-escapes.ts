const unreserved = /^[A-Za-z0-9\-._~]$/;

/** `{name}` in any mix of braces and encoded braces, also doubled, as some templates are written. */
const placeholder = /(?:%7B)+([\w.:+*~-]+)(?:%7D)+/g;

function normalizeEscape(escape: string, digits: string | undefined): string {
  // A lone percent sign is data; left alone it could join the next two characters.
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return unreserved.test(character) ? character : escape.toUpperCase();
}

/**
 * Normalises the percent-encoding of a path or a query (RFC 3986, section 6.2.2) and gives placeholders the one
 * form `{name}`. Braces that hold no name stay encoded, because they are data.
 *
 * @param text - A path or query as the URL parser serialises it.
 */
export function normalizeEscapes(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})?/gi, normalizeEscape)
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D')
    .replace(placeholder, '{$1}');
}
