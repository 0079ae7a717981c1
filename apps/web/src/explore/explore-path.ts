import { decodePageParams } from '../page-params/route-page.ts';
import { parseExploreParams, type ParsedParams } from './explore-params.ts';

/** Decodes the path segment of a page with parameters. */
export function decodeParams(segment: string): ParsedParams {
  const { query, ignored } = decodePageParams(segment);
  return { params: parseExploreParams(new URLSearchParams(query)).params, ignored };
}
