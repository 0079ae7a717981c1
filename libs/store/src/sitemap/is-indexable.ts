import type { Provider } from '../explore/explore-types.ts';
import type { Snapshot } from '../snapshots/snapshot.ts';

/** Columns that decide whether search engines may list the page of an endpoint. */
export type IndexableColumns = Pick<Snapshot, 'grade' | 'templated' | 'listingStatus' | 'listingSource'>;

/**
 * Returns true if search engines may list the page of an endpoint with a public snapshot: a directory lists the endpoint
 * now, it has a grade, and it is not a URL template. The SQL function `internal.is_indexable` has the same rule.
 */
export function isIndexable({ grade, templated, listingStatus, listingSource }: IndexableColumns): boolean {
  return grade !== '?' && !templated && listingStatus === 'listed' && listingSource === 'directory';
}

/** Minimum number of indexable endpoints of a host whose page search engines may list. */
const MIN_INDEXABLE_ENDPOINTS = 2;

/**
 * Returns true if search engines may list the page of a provider. The page of a host with one endpoint has the same
 * figures as the page of that endpoint. The SQL function `public.sitemap_providers` has the same rule.
 */
export function isProviderIndexable({ indexable }: Pick<Provider, 'indexable'>): boolean {
  return indexable >= MIN_INDEXABLE_ENDPOINTS;
}
