import { type ChoiceCounts, type ExplorePage, InvalidCursorError, type PublicStore } from '@touchstone/store';
import { toUrlText } from '../../page-parts/classify-query.ts';
import { type EndpointMatch, toEndpointMatch } from './endpoint-match.ts';
import type { ExploreParams, ParsedParams } from './explore-params.ts';

/** Number of endpoints per page. */
const PAGE_SIZE = 25;
/** Maximum length of an ignored cursor on the page, in characters. */
const MAX_CURSOR_LENGTH = 60;

/** Search of the explore page. */
export interface ExploreSource extends Pick<PublicStore, 'explore'> {
  /**
   * Returns the ids of the endpoints that are nearest to a text in meaning, best first; null if texts cannot be compared
   * now.
   */
  readonly findNearest: (text: string) => Promise<readonly string[] | null>;
}

/** One page of the endpoints that match the filters. */
export interface ExploreResult {
  readonly matches: readonly EndpointMatch[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
  /** Number of endpoints that match; null on every page but the first. */
  readonly total: number | null;
  /** True if more endpoints than `total` may match. */
  readonly isTotalMinimum: boolean;
  /** Numbers of endpoints for the choices of the filters; null if the page is not the first page of a visitor. */
  readonly counts: ChoiceCounts | null;
  /**
   * Set if no endpoint has a word of the text. `meaning`: the endpoints are the nearest in meaning. `unavailable`: the
   * embedder did not respond, so only the words of the text were compared.
   */
  readonly fallback?: 'meaning' | 'unavailable';
}

/** Data of the page that the server rendered. The page script starts with this data. */
export interface FirstPage extends ParsedParams {
  readonly result: ExploreResult;
}

/**
 * Lists the endpoints of one page. If no endpoint has a word of the text, the endpoints that are nearest in meaning are
 * listed.
 *
 * @param hasCounts True to count the endpoints of the choices of the filters.
 * @throws InvalidCursorError if the store refuses the cursor
 */
export async function listEndpoints(
  source: ExploreSource,
  params: ExploreParams,
  hasCounts: boolean,
): Promise<ExploreResult> {
  const query = { ...params, limit: PAGE_SIZE, hasCounts };
  const found = toResult(await source.explore(query));
  if (params.text === '' || found.total !== 0 || toUrlText(params.text) !== null) return found;
  const ids = await source.findNearest(params.text);
  if (ids === null) return { ...found, fallback: 'unavailable' };
  const nearest = ids.length === 0 ? found : toResult(await source.explore({ ...query, ids }));
  return { ...nearest, fallback: 'meaning' };
}

function toResult({ snapshots, ...page }: ExplorePage): ExploreResult {
  return { matches: snapshots.map(toEndpointMatch), ...page };
}

/**
 * Lists the endpoints of the explore page. If the cursor is invalid, the first page is listed, and the cursor counts as
 * ignored.
 */
export async function listFirstPage(
  source: ExploreSource,
  { params, ignored }: ParsedParams,
): Promise<FirstPage> {
  try {
    return { params, ignored, result: await listEndpoints(source, params, true) };
  } catch (error) {
    if (!(error instanceof InvalidCursorError) || params.after === null) throw error;
    const cursor = `after=${params.after.slice(0, MAX_CURSOR_LENGTH)}`;
    return listFirstPage(source, { params: { ...params, after: null }, ignored: [...ignored, cursor] });
  }
}
