import type { ExploreResult } from '../trpc/explore-router.ts';
import type { ParsedParams } from './explore-params.ts';

/** Page that the server rendered. The script of the page continues from it. */
export interface FirstPage extends ParsedParams {
  readonly result: ExploreResult;
}
