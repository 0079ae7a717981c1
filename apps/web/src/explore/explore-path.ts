import { formatExploreParams, parseExploreParams, type ParsedParams } from './explore-params.ts';

/** Separator between the query and the ignored values. None of them contains a line break. */
const SEPARATOR = '\n';

/**
 * Encodes parsed parameters as one path segment. The parser limits the length of every value, so the segment is
 * bounded.
 */
export function encodeParams({ params, ignored }: ParsedParams): string {
  const lines = [formatExploreParams(params), ...ignored];
  return Buffer.from(lines.join(SEPARATOR), 'utf8').toString('base64url');
}

/** Decodes a path segment from `encodeParams`. */
export function decodeParams(segment: string): ParsedParams {
  const [query = '', ...ignored] = Buffer.from(segment, 'base64url').toString('utf8').split(SEPARATOR);
  return { params: parseExploreParams(new URLSearchParams(query)).params, ignored };
}
