import { toPlainText } from '@touchstone/ui';

/** Maximum length of a search query after normalization, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 200;

/** Maximum number of endpoints in a search result. */
export const MAX_MATCHES = 25;

/**
 * Normalizes an untrusted search query to one trimmed line. Control and format characters are removed, because
 * PostgreSQL refuses NUL, and bidirectional control characters could reorder the text of the page.
 */
export function normalizeQuery(query: string): string {
  return toPlainText(query, Number.POSITIVE_INFINITY);
}

/**
 * Encodes a search query as one path segment. A query that is too long is cut to one unit more than the maximum, so
 * that the path is bounded and the page still detects the length.
 */
export function encodeQuery(query: string): string {
  return Buffer.from(normalizeQuery(query).slice(0, MAX_QUERY_LENGTH + 1), 'utf8').toString('base64url');
}

/** Decodes a path segment from `encodeQuery`. */
export function decodeQuery(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('utf8');
}
