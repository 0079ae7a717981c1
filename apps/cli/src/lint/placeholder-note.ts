/** Placeholder in braces, anywhere in a URL. JSON in a query does not match. */
const IN_BRACES = /\{[\w.:+*~-]+\}/g;
/** Path segment that is a placeholder with a colon, such as `:id`. */
const AFTER_COLON = /(?<=\/):[A-Za-z_][\w.-]*(?=\/|$)/g;
/** Scheme, host and port of a URL. */
const ORIGIN = /^[^/?#]*\/\/[^/?#]*/;

/**
 * Creates the note on a URL template, which names its placeholders: `{id}`, `%7Bid%7D` or `:id`. Returns no note for a URL
 * without placeholders.
 */
export function createPlaceholderNotes(url: string): string[] {
  const names = findPlaceholders(url);
  if (names.length === 0) return [];
  const [placeholders, them] = names.length === 1 ? ['the placeholder', 'it'] : ['the placeholders', 'them'];
  return [
    `The URL contains ${placeholders} ${names.join(', ')}; replace ${them} before paying: as it is, the URL cannot be paid.`,
  ];
}

/** Returns each placeholder of a URL once, as it is written in the URL: `{id}` or `:id`. */
export function findPlaceholders(url: string): readonly string[] {
  const [decoded = ''] = url.replace(/%7B/gi, '{').replace(/%7D/gi, '}').split('#');
  const [path = ''] = decoded.replace(ORIGIN, '').split('?');
  return [...new Set([...(decoded.match(IN_BRACES) ?? []), ...(path.match(AFTER_COLON) ?? [])])];
}
