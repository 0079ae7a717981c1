import {
  type ChoiceCounts,
  InvalidCursorError,
  MAX_EXPLORE_TOTAL,
  type PublicStore,
} from '@touchstone/store';
import { type EndpointMatch, toEndpointMatch } from './endpoint-match.ts';
import type { ExploreParams, ParsedParams } from './explore-params.ts';

/** Number of endpoints per page. */
const PAGE_SIZE = 25;
/** Maximum length of an ignored cursor on the page, in characters. */
const MAX_CURSOR_LENGTH = 60;

/** One page of the endpoints that match the filters. */
export interface ExploreResult {
  readonly matches: readonly EndpointMatch[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
  /** Number of endpoints that match; null on every page but the first. */
  readonly total: number | null;
  /** True if more than `total` endpoints may match. */
  readonly isTotalMinimum: boolean;
  /** Numbers of endpoints for the choices of the filters; null if the page is not the first page of a visitor. */
  readonly counts: ChoiceCounts | null;
}

/** Data of the page that the server rendered. The page script starts with this data. */
export interface FirstPage extends ParsedParams {
  readonly result: ExploreResult;
}

/**
 * Lists the endpoints of one page.
 *
 * @param hasCounts True to count the endpoints of the choices of the filters.
 * @throws InvalidCursorError if the store refuses the cursor
 */
export async function listEndpoints(
  store: Pick<PublicStore, 'explore'>,
  params: ExploreParams,
  hasCounts: boolean,
): Promise<ExploreResult> {
  const { snapshots, next, total, counts } = await store.explore({ ...params, limit: PAGE_SIZE, hasCounts });
  const isTotalMinimum = total !== null && total >= MAX_EXPLORE_TOTAL;
  return { matches: snapshots.map(toEndpointMatch), next, total, isTotalMinimum, counts };
}

/**
 * Lists the endpoints of the explore page. If the cursor is invalid, the first page is listed, and the cursor counts as
 * ignored.
 */
export async function listFirstPage(
  store: Pick<PublicStore, 'explore'>,
  { params, ignored }: ParsedParams,
): Promise<FirstPage> {
  try {
    return { params, ignored, result: await listEndpoints(store, params, true) };
  } catch (error) {
    if (!(error instanceof InvalidCursorError) || params.after === null) throw error;
    const cursor = `after=${params.after.slice(0, MAX_CURSOR_LENGTH)}`;
    return listFirstPage(store, { params: { ...params, after: null }, ignored: [...ignored, cursor] });
  }
}
