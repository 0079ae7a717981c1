import type { ExploreParams } from './explore-params.ts';

/** Title of the explore page, without the name of the site. */
export const EXPLORE_TITLE = 'Explore x402 endpoints';

/** Returns the title of a page, without the name of the site. */
export function getExploreTitle({ text }: ExploreParams): string {
  return text === '' ? EXPLORE_TITLE : `Search for “${text}”`;
}
