import { canonicalize } from '@touchstone/catalog';
import type { PageTarget } from '@touchstone/store';
import { toHostText, toUrlText } from '../../page-parts/classify-query.ts';
import type { Limited, PageLookup } from '../../serving/known-pages/page-guard.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';
import { type ExploreParams, getDefaultSort, NO_PARAMS, toExploreUrl } from './explore-params.ts';

/** Lookups of pages, within the limits for unknown pages. */
export interface PageLookups {
  readonly endpoint: (id: string) => Promise<PageLookup<NonNullable<PageTarget>>>;
  readonly host: (host: string) => Promise<PageLookup<unknown>>;
}

/** URL without a page. */
export interface UnmonitoredUrl {
  /** Canonical URL; the text of the search if the URL cannot be an endpoint. */
  readonly resource: string;
  /** Host of the URL if other endpoints of the host are monitored; otherwise null. */
  readonly host: string | null;
  /** Reason why the URL cannot be an endpoint; null for a valid URL. */
  readonly fault: string | null;
}

/** Page that a search opens instead of a list of endpoints. */
export type SearchTarget =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'unmonitored'; readonly url: UnmonitoredUrl }
  | Limited;

/**
 * Finds the page that a search opens: the page of the endpoint with the URL, the page of the host, or the page about a
 * URL that is not monitored. A host opens its page only in a search without filters. Resolves to null for words.
 */
export async function findSearchTarget(
  params: ExploreParams,
  lookups: PageLookups,
): Promise<SearchTarget | null> {
  const url = toUrlText(params.text);
  if (url !== null) return findUrlTarget(params.text, url, lookups);
  const host = toHostText(params.text);
  const alone = { ...NO_PARAMS, text: params.text, sort: getDefaultSort(params.text) };
  if (host === null || toExploreUrl(params) !== toExploreUrl(alone)) return null;
  const found = await lookups.host(host);
  return found.kind === 'found' ? { kind: 'page', path: toProviderPath(host) } : null;
}

async function findUrlTarget(text: string, url: string, lookups: PageLookups): Promise<SearchTarget | null> {
  const canonical = canonicalize(url);
  if (!canonical.ok) {
    // A text without a scheme can consist of words, such as "v1.2/rates".
    return url === text
      ? { kind: 'unmonitored', url: { resource: text, host: null, fault: canonical.reason } }
      : null;
  }
  for (const spelling of listSpellings(canonical.resource)) {
    const variant = canonicalize(spelling);
    if (!variant.ok) continue;
    const found = await lookups.endpoint(variant.id);
    if (found.kind === 'limited') return found;
    if (found.kind !== 'found') continue;
    const slug = found.value === 'removed' ? variant.slug : found.value.slug;
    return { kind: 'page', path: `/endpoint/${slug}` };
  }
  const { resource, host } = canonical;
  const known = await lookups.host(host);
  if (known.kind === 'limited') return known;
  const isRoot = URL.parse(resource)?.pathname === '/';
  if (known.kind === 'found' && isRoot) return { kind: 'page', path: toProviderPath(host) };
  return {
    kind: 'unmonitored',
    url: { resource, host: known.kind === 'found' ? host : null, fault: null },
  };
}

/** Returns a canonical URL with HTTPS, with and without the slash at its end; the given form is the first. */
function listSpellings(resource: string): readonly string[] {
  const url = resource.replace(/^http:/, 'https:');
  const other = url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
  return [...new Set([resource, url, ...(url.includes('?') ? [] : [other])])];
}
