import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../client/values.ts';
import type { Provider } from '../explore/explore.ts';
import type { Snapshot } from '../snapshots/snapshot.ts';

const shardSchema = z.object({
  /** First character of the endpoint ids of the shard: `a` to `z` or `2` to `7`. */
  shard: z.string(),
  /** Time of the newest content change among the endpoints of the shard, in ISO 8601. */
  lastModified: isoTimestampSchema,
});
/** Part of the sitemap of endpoints, with at least one entry. */
export type SitemapShard = z.infer<typeof shardSchema>;

const endpointSchema = z.object({ slug: z.string(), lastModified: isoTimestampSchema });
/** Endpoint in the sitemap, with the time of its latest content change. */
export type SitemapEndpoint = z.infer<typeof endpointSchema>;

const providerSchema = z.object({ host: z.string(), lastModified: isoTimestampSchema });
/** Host in the sitemap, with the time of the latest content change among its endpoints. */
export type SitemapProvider = z.infer<typeof providerSchema>;

const categorySchema = z.object({
  /** Words of lower-case letters and digits, separated by a space or a hyphen. A tag is a claim of the providers. */
  tag: z.string(),
  /** Number of listed endpoints with the tag. */
  endpoints: z.number().int(),
  /** Number of hosts of these endpoints, and number of these endpoints with the recommendation `proceed`. */
  hosts: z.number().int(),
  proceed: z.number().int(),
  /** Lowest and highest advertised price of these endpoints in US dollars; null without a price. */
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  /** Time of the latest content change among these endpoints, in ISO 8601. */
  lastModified: isoTimestampSchema,
});
/** Tag with a page of its own, with figures of its endpoints. */
export type Category = z.infer<typeof categorySchema>;

const targetSchema = z.object({
  slug: z.string().nullable(),
  removed: z.boolean(),
  optedOutAt: isoTimestampSchema.nullable(),
});
/**
 * Page of an endpoint: its canonical slug, and the time at which its provider opted out of probing and listing (ISO 8601;
 * null without an opt-out); `removed` if the endpoint was removed from public view on request; null if no public endpoint
 * has the id.
 */
export type PageTarget = { readonly slug: string; readonly optedOutAt: string | null } | 'removed' | null;

/** Reads the shards of the sitemap that have an entry, ordered by name in the byte order of ASCII. */
export async function readSitemapShards(db: Db): Promise<readonly SitemapShard[]> {
  return z.array(shardSchema).parse(await call(db, 'sitemap_shards', {}));
}

/**
 * Reads at most 50,000 endpoints of a shard. Search engines may list the pages of these endpoints. An unknown shard has
 * no endpoints.
 */
export async function readSitemapEndpoints(db: Db, shard: string): Promise<readonly SitemapEndpoint[]> {
  return z.array(endpointSchema).parse(await call(db, 'sitemap_endpoints', { shard }));
}

/** Reads at most 50,000 hosts whose pages search engines may list. */
export async function readSitemapProviders(db: Db): Promise<readonly SitemapProvider[]> {
  return z.array(providerSchema).parse(await call(db, 'sitemap_providers', {}));
}

/** Reads the tags that have a page, the tag with the most endpoints first. */
export async function readCategories(db: Db): Promise<readonly Category[]> {
  return z.array(categorySchema).parse(await call(db, 'categories', {}));
}

/** Reads the page of an endpoint by its id. */
export async function readPageTarget(db: Db, endpointId: string): Promise<PageTarget> {
  const { slug, removed, optedOutAt } = targetSchema.parse(await call(db, 'page_target', { endpointId }));
  if (removed) return 'removed';
  return slug === null ? null : { slug, optedOutAt };
}

/** Kind of a page. The name of an endpoint page is the endpoint id; the name of a provider page is the host. */
export type PageKind = 'endpoint' | 'host';

/** Range in the sorted list of page names. */
export interface PageNameRange {
  readonly kind: PageKind;
  /** Last name of the previous range; empty for the first range. */
  readonly after: string;
  readonly limit: number;
}

/** Reads a range of page names in their sorted order. */
export async function readPageNames(db: Db, range: PageNameRange): Promise<readonly string[]> {
  return z.array(z.string()).parse(await call(db, 'page_names', range));
}

/** Columns that decide whether search engines may list the page of an endpoint. */
export type IndexableColumns = Pick<Snapshot, 'grade' | 'templated' | 'listingStatus' | 'listingSource'>;

/**
 * Returns true if search engines may list the page of an endpoint with a public snapshot: a directory lists the endpoint
 * now, it has a grade, and it is not a URL template. The SQL function `internal.is_indexable` has the same rule.
 */
export function isIndexable({ grade, templated, listingStatus, listingSource }: IndexableColumns): boolean {
  return grade !== '?' && !templated && listingStatus === 'listed' && listingSource === 'directory';
}

/**
 * Minimum number of indexable endpoints of a host. Search engines may not list the page of a host with fewer endpoints.
 */
const MIN_INDEXABLE_ENDPOINTS = 2;

/**
 * Returns true if search engines may list the page of a provider. The page of a host with one endpoint has the same
 * figures as the page of that endpoint. The SQL function `public.sitemap_providers` has the same rule.
 */
export function isProviderIndexable({ indexable }: Pick<Provider, 'indexable'>): boolean {
  return indexable >= MIN_INDEXABLE_ENDPOINTS;
}
