import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../snapshots/snapshot.ts';

const shardSchema = z.object({
  /** First character of the endpoint ids of the shard: `a` to `z` or `2` to `7`. */
  shard: z.string(),
  /** Time of the newest change of the content of an endpoint that the shard lists, in ISO 8601. */
  lastModified: isoTimestampSchema,
});
/** Part of the sitemap of endpoints that has at least one entry. */
export type SitemapShard = z.infer<typeof shardSchema>;

const endpointSchema = z.object({ slug: z.string(), lastModified: isoTimestampSchema });
/** Endpoint in the sitemap, with the time of the latest change of its content. */
export type SitemapEndpoint = z.infer<typeof endpointSchema>;

const providerSchema = z.object({ host: z.string(), lastModified: isoTimestampSchema });
/** Host in the sitemap, with the time of the latest change of the content of one of its endpoints. */
export type SitemapProvider = z.infer<typeof providerSchema>;

const targetSchema = z.object({ slug: z.string().nullable(), removed: z.boolean() });
/**
 * Page of an endpoint id: its canonical slug, `removed` after a removal on request, or null without a public endpoint.
 */
export type PageTarget = { readonly slug: string } | 'removed' | null;

/** Reads the shards of the sitemap that have an entry, ordered by name in the byte order of ASCII. */
export async function readSitemapShards(db: Db): Promise<readonly SitemapShard[]> {
  return z.array(shardSchema).parse(unwrap('read the shards of the sitemap', await db.rpc('sitemap_shards')));
}

/** Reads the endpoints of a shard that search engines may list, at most 50,000. An unknown shard has none. */
export async function readSitemapEndpoints(db: Db, shard: string): Promise<readonly SitemapEndpoint[]> {
  const response = await db.rpc('sitemap_endpoints', { p_shard: shard });
  return z.array(endpointSchema).parse(unwrap('read a shard of the sitemap', response));
}

/** Reads the hosts that have at least one endpoint in the sitemap, at most 50,000. */
export async function readSitemapProviders(db: Db): Promise<readonly SitemapProvider[]> {
  const response = await db.rpc('sitemap_providers');
  return z.array(providerSchema).parse(unwrap('read the providers of the sitemap', response));
}

/** Reads the page of an endpoint by its id. */
export async function readPageTarget(db: Db, endpointId: string): Promise<PageTarget> {
  const response = await db.rpc('page_target', { p_endpoint_id: endpointId });
  const { slug, removed } = targetSchema.parse(unwrap('read the page of an endpoint', response));
  if (removed) return 'removed';
  return slug === null ? null : { slug };
}
