import { formatCount } from '@touchstone/ui';
import { SORT_LABELS, type ExploreParams } from '../../explore/explore-params.ts';
import type { ExploreResult } from '../../trpc/explore-router.ts';

/** Formats the number of endpoints that match, the search text and the order. */
export function formatResultCount(params: ExploreParams, pages: readonly ExploreResult[]): string {
  const shown = pages.reduce((sum, { matches }) => sum + matches.length, 0);
  const subject = params.text === '' ? '' : ` for “${params.text}”`;
  if (shown === 0) return `No endpoints${subject}`;
  const order = shown === 1 ? '' : `, ${SORT_LABELS[params.sort].toLowerCase()} first`;
  return `${formatNumber(pages, shown)}${subject}${order}`;
}

function formatNumber([first]: readonly ExploreResult[], shown: number): string {
  const total = first?.total ?? null;
  // A page after the first one does not know the number of all endpoints.
  if (total === null) return `${formatCount(shown)} further ${nameEndpoints(shown)}`;
  const all = `${formatCount(total)}${first?.isTotalMinimum === true ? ' or more' : ''} ${nameEndpoints(total)}`;
  return shown < total ? `${formatCount(shown)} of ${all}` : all;
}

function nameEndpoints(count: number): string {
  return count === 1 ? 'endpoint' : 'endpoints';
}
