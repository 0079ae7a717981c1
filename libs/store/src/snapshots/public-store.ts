import { z } from 'zod';
import { connect, unwrap, type ConnectOptions, type Db } from '../client/client.ts';
import { readEcosystemDays, type EcosystemDay } from '../days/ecosystem-days.ts';
import { readEndpointDays, type EndpointDay } from '../days/endpoint-days.ts';
import {
  readEcosystemEvents,
  type EcosystemEventPage,
  type EcosystemEventQuery,
} from '../events/ecosystem-events.ts';
import {
  readPageTarget,
  readSitemapEndpoints,
  readSitemapProviders,
  readSitemapShards,
  type PageTarget,
  type SitemapEndpoint,
  type SitemapProvider,
  type SitemapShard,
} from '../sitemap/sitemap.ts';
import { explore, hasProvider, readProvider, suggest } from '../explore/explore.ts';
import type { ExplorePage, ExploreQuery, Provider, Suggestions } from '../explore/explore-types.ts';
import {
  ecosystemSchema,
  type Ecosystem,
  type Snapshot,
  isoTimestampSchema,
  snapshotRowSchema,
} from './snapshot.ts';

/** Public data, read with the publishable key under row-level security. */
export interface PublicStore {
  /** Returns the public snapshot of an endpoint; null if the endpoint has no public snapshot. */
  readSnapshot(endpointId: string): Promise<Snapshot | null>;
  /**
   * Returns at most `limit` graded endpoints that a directory lists, with a confidence of at least 0.5 and no error
   * flag. They are ordered by the lower bound of the score range, then by score; the best is first.
   */
  readLeaderboard(limit: number): Promise<readonly Snapshot[]>;
  /** Returns statistics of all public snapshots. */
  readEcosystem(): Promise<Ecosystem>;
  /**
   * Returns the URL of the best endpoint that a directory lists and that has a grade, at any confidence; null without
   * such an endpoint. The order is that of the leaderboard. URL templates and endpoints that were never probed are left out.
   */
  findBestProbedResource(): Promise<string | null>;
  /**
   * Returns one page of endpoints for the filters, the order and the text of the explore page. The text consists of words
   * or a URL. Words may be misspelled or parts of a host. A text without letters and digits has no results.
   * @throws InvalidCursorError when `query.after` is malformed or belongs to another order.
   */
  explore(query: ExploreQuery): Promise<ExplorePage>;
  /** Returns completions of a text that a person types. At most 200 characters of it are used. */
  suggest(text: string): Promise<Suggestions>;
  /** Returns the figures of a host, which must be in lower case; null if the host has no public endpoint. */
  readProvider(host: string): Promise<Provider | null>;
  /** Returns true if a host, which must be in lower case, has a public endpoint. It reads one row by its key. */
  hasProvider(host: string): Promise<boolean>;
  /**
   * Returns ecosystem events. The event with the latest update is the first. Every event has at least one endpoint
   * with a public snapshot.
   * @throws RangeError when `before` is not a cursor.
   */
  readEcosystemEvents(query: EcosystemEventQuery): Promise<EcosystemEventPage>;
  /** Returns the days of an endpoint that have probes, at most 30, oldest first; the last is the day of its snapshot. */
  readEndpointDays(endpointId: string): Promise<readonly EndpointDay[]>;
  /** Returns the figures of all endpoints for the latest `days` recorded days, at most 365, oldest first. */
  readEcosystemDays(days: number): Promise<readonly EcosystemDay[]>;
  /** Returns the shards of the sitemap that have an entry. */
  readSitemapShards(): Promise<readonly SitemapShard[]>;
  /** Returns the endpoints of a shard that search engines may list, at most 50,000. */
  readSitemapEndpoints(shard: string): Promise<readonly SitemapEndpoint[]>;
  /** Returns the hosts that have at least one endpoint that search engines may list, at most 50,000. */
  readSitemapProviders(): Promise<readonly SitemapProvider[]>;
  /** Returns the page of an endpoint by its id. */
  findPageTarget(endpointId: string): Promise<PageTarget>;
}

/**
 * Creates a store for public data. Every method throws StoreError when the database cannot be reached.
 * @param options - `key` is the publishable key.
 */
export function createPublicStore(options: ConnectOptions): PublicStore {
  const db = connect(options);
  return {
    readSnapshot: (endpointId) => readSnapshot(db, endpointId),
    readLeaderboard: (limit) => readLeaderboard(db, limit),
    readEcosystem: () => readEcosystem(db),
    findBestProbedResource: () => readProbedResource(db),
    explore: (query) => explore(db, query),
    suggest: (text) => suggest(db, text),
    readProvider: (host) => readProvider(db, host),
    hasProvider: (host) => hasProvider(db, host),
    readEcosystemEvents: (query) => readEcosystemEvents(db, query),
    readEndpointDays: (endpointId) => readEndpointDays(db, endpointId),
    readEcosystemDays: (days) => readEcosystemDays(db, days),
    readSitemapShards: () => readSitemapShards(db),
    readSitemapEndpoints: (shard) => readSitemapEndpoints(db, shard),
    readSitemapProviders: () => readSitemapProviders(db),
    findPageTarget: (endpointId) => readPageTarget(db, endpointId),
  };
}

const COLUMNS =
  'endpoint_id, slug, resource, host, method, service_name, description, templated, protocol_version, score, score_low, score_high, ' +
  'grade, recommendation, confidence, uptime_30d, latency_ms, latency_label, probes_30d, ' +
  'probed_per_day, due_per_day, mean_gap_seconds, amount_usd, lowest_price_usd_30d, highest_price_usd_30d, ' +
  'price_stability, network, pay_on, first_seen, last_probed_at, listing_status, listing_source, ' +
  'delisted_at, directories, failing_since, last_failure, is_compliant, computed_at, ' +
  'content_changed_at, days_tracked, error_flags, warning_flags, better_alternatives';

async function readSnapshot(db: Db, endpointId: string): Promise<Snapshot | null> {
  const response = await db.from('snapshots').select(COLUMNS).eq('endpoint_id', endpointId).limit(1);
  const [row] = z.array(snapshotRowSchema).parse(unwrap('read a snapshot', response));
  return row ?? null;
}

async function readLeaderboard(db: Db, limit: number): Promise<readonly Snapshot[]> {
  const response = await db
    .from('snapshots')
    .select(COLUMNS)
    .eq('listing_status', 'listed')
    .eq('listing_source', 'directory')
    .neq('grade', '?')
    .eq('error_flags', 0)
    .gte('confidence', 0.5)
    .order('score_low', { ascending: false })
    .order('score', { ascending: false })
    .order('endpoint_id')
    .limit(limit);
  return z.array(snapshotRowSchema).parse(unwrap('read the leaderboard', response));
}

async function readProbedResource(db: Db): Promise<string | null> {
  const response = await db
    .from('snapshots')
    .select('resource')
    .eq('listing_status', 'listed')
    .eq('listing_source', 'directory')
    .eq('templated', false)
    .neq('grade', '?')
    .not('last_probed_at', 'is', null)
    .order('score_low', { ascending: false })
    .order('score', { ascending: false })
    .order('endpoint_id')
    .limit(1);
  const [row] = z.array(z.object({ resource: z.string() })).parse(unwrap('read a probed endpoint', response));
  return row?.resource ?? null;
}

async function readEcosystem(db: Db): Promise<Ecosystem> {
  const numbers = z
    .looseObject({ lastProbedAt: isoTimestampSchema.nullable() })
    .parse(unwrap('read the ecosystem', await db.rpc('ecosystem')));
  return ecosystemSchema.parse(numbers);
}
