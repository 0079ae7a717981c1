/**
 * Converts untrusted provider text to one line without control and format characters. Bidirectional control characters
 * are removed because they could reorder the surrounding text.
 *
 * @param text Untrusted text.
 * @param limit Maximum number of characters; a longer text ends with an ellipsis.
 */
export function toPlainText(text: string, limit = 1000): string {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/\s+/gu, ' ')
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim(),
  ];
  return characters.length <= limit
    ? characters.join('')
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Returns the URL for a link to a listed resource, or null if the page must not link to the resource. Listings are
 * untrusted, so only http and https URLs become links. Hosts under `.test` are excluded, because RFC 6761 reserves
 * these hosts and no browser can open a page of such a host.
 */
export function toWebLink(resource: string): string | null {
  const url = URL.parse(resource);
  if (url === null || /(?:^|\.)test\.?$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
