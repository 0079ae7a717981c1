import { toPlainText } from '@touchstone/ui';

/** Maximum length of a search query after normalization, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 200;

/**
 * Normalizes an untrusted search query to one trimmed line. Control and format characters are removed, because
 * PostgreSQL refuses NUL, and bidirectional control characters could reorder the text of the page.
 */
export function normalizeQuery(query: string): string {
  return toPlainText(query, Number.POSITIVE_INFINITY);
}
