import { z } from 'zod';
import { call, connect, unwrap, type ConnectOptions, type Db } from './client/client.ts';
import { readEndpointProvider, readHostClaim } from './claims/claim-settings.ts';
import { addUptimeDays, readEcosystemDays, readEndpointDays, type ListedSnapshot } from './days/days.ts';
import { readCorrections, readEndpointDisputes } from './disputes/disputes.ts';
import {
  countEcosystemEvents,
  readEcosystemEvents,
  type EcosystemEventQuery,
  type EcosystemEventSubject,
} from './events/ecosystem-events.ts';
import { explore, hasProvider, readProvider, suggest, type ExploreQuery } from './explore/explore.ts';
import {
  readCategories,
  readPageTarget,
  readSitemapEndpoints,
  readSitemapProviders,
  readSitemapShards,
} from './sitemap/sitemap.ts';
import { findPublishedPurchase, readPurchaseLedger } from './purchases/published-purchases.ts';
import { ecosystemSchema, SNAPSHOT_COLUMNS, snapshotRowSchema, type Snapshot } from './snapshots/snapshot.ts';

/**
 * Creates a store for public data, read under row-level security. Every method throws StoreError when the database cannot
 * be reached.
 * @param options - `key` is the publishable key.
 */
export function createPublicStore(options: ConnectOptions) {
  const db = connect(options);
  return {
    /** Returns the public snapshot of an endpoint; null if the endpoint has no public snapshot. */
    readSnapshot: (endpointId: string) => readSnapshot(db, endpointId),
    /**
     * Returns at most `limit` graded endpoints that a directory lists, with a confidence of at least 0.5 and no error
     * flag. The endpoints are ordered by the lower bound of the score range, then by score; the best is first.
     */
    readLeaderboard: (limit: number) => readLeaderboard(db, limit),
    /** Returns the public snapshots of at most 50 endpoints in any order. Ids without a public snapshot are left out. */
    readSnapshots: (endpointIds: readonly string[]) => readSnapshots(db, endpointIds),
    /** Returns statistics of all public snapshots. */
    readEcosystem: async () => ecosystemSchema.parse(await call(db, 'ecosystem', {})),
    /**
     * Returns the URL of the best endpoint of the leaderboard order, with any confidence; null if there is none. The
     * endpoint is graded, and a directory lists it. URL templates and endpoints without probes are left out.
     */
    findBestProbedResource: () => readProbedResource(db),
    /**
     * Returns one page of endpoints for the filters, the order and the text of the explore page. The text consists of
     * words or a URL. Misspelled words and parts of a host also match. A text without letters and digits has no
     * results.
     * @throws InvalidCursorError when `query.after` is malformed or belongs to another order.
     */
    explore: (query: ExploreQuery) => explore(db, query),
    /** Returns completions of a text that a person types. At most 200 characters of the text are used. */
    suggest: (text: string) => suggest(db, text),
    /** Returns the figures of a host, which must be in lower case; null if the host has no public endpoint. */
    readProvider: (host: string) => readProvider(db, host),
    /**
     * Returns true if a host, which must be in lower case, has a public endpoint. The lookup reads one row by its key.
     */
    hasProvider: (host: string) => hasProvider(db, host),
    /**
     * Returns ecosystem events. The event with the latest update is the first. Every event has at least one endpoint
     * with a public snapshot.
     * @throws RangeError when `before` is not a cursor.
     */
    readEcosystemEvents: (query: EcosystemEventQuery) => readEcosystemEvents(db, query),
    countEcosystemEvents: (subject: EcosystemEventSubject) => countEcosystemEvents(db, subject),
    /**
     * Returns the days on which an endpoint was probed, at most 30, oldest first. The last day is the day of the
     * snapshot.
     */
    readEndpointDays: (endpointId: string) => readEndpointDays(db, endpointId),
    /** Returns the newest disputes of an endpoint, at most 50. */
    readEndpointDisputes: (endpointId: string, limit: number) =>
      readEndpointDisputes(db, { endpointId, limit }),
    /** Returns the newest answered disputes and corrections of the operator, at most 500. */
    readCorrections: (limit: number) => readCorrections(db, limit),
    /** Returns a published test purchase; null for any other id. */
    findPurchase: (id: string) => findPublishedPurchase(db, id),
    /** Returns the ledger of test purchases with the newest of them, at most 500. */
    readPurchaseLedger: (query: { readonly now: number; readonly limit: number }) =>
      readPurchaseLedger(db, query),
    /** Returns the figures of all endpoints for the latest `days` recorded days, at most 365, oldest first. */
    readEcosystemDays: (days: number) => readEcosystemDays(db, days),
    /** Returns the shards (parts) of the sitemap that contain at least one endpoint. */
    readSitemapShards: () => readSitemapShards(db),
    /** Returns at most 50,000 endpoints of a sitemap shard. Search engines may list the pages of these endpoints. */
    readSitemapEndpoints: (shard: string) => readSitemapEndpoints(db, shard),
    /** Returns at most 50,000 hosts whose pages search engines may list. */
    readSitemapProviders: () => readSitemapProviders(db),
    /** Returns the tags that have a page, the tag with the most endpoints first, as of the latest statistics. */
    readCategories: () => readCategories(db),
    /**
     * Returns the opt-out and the announcements of the provider of an endpoint; null for an endpoint that is unknown or
     * that the operator removed.
     */
    readEndpointProvider: (endpointId: string) => readEndpointProvider(db, endpointId),
    /** Returns the active claim of a host, which must be in lower case; null without a claim. */
    readHostClaim: (host: string) => readHostClaim(db, host),
    /** Returns the page of an endpoint by its id. */
    findPageTarget: (endpointId: string) => readPageTarget(db, endpointId),
  };
}

/** Public data, read with the publishable key. */
export type PublicStore = ReturnType<typeof createPublicStore>;

async function readSnapshot(db: Db, endpointId: string): Promise<Snapshot | null> {
  const response = await db.from('snapshots').select(SNAPSHOT_COLUMNS).eq('endpoint_id', endpointId).limit(1);
  const [row] = z.array(snapshotRowSchema).parse(unwrap('read a snapshot', response));
  return row ?? null;
}

async function readSnapshots(db: Db, endpointIds: readonly string[]): Promise<readonly Snapshot[]> {
  if (endpointIds.length === 0) return [];
  const response = await db
    .from('snapshots')
    .select(SNAPSHOT_COLUMNS)
    .in('endpoint_id', endpointIds)
    .limit(50);
  return z.array(snapshotRowSchema).parse(unwrap('read snapshots', response));
}

/** Queries graded endpoints that a directory lists, ordered by the lower bound of the score range, then by score. */
function queryRanking(db: Db, columns: string) {
  return db
    .from('snapshots')
    .select(columns)
    .eq('listing_status', 'listed')
    .eq('listing_source', 'directory')
    .neq('grade', '?')
    .order('score_low', { ascending: false })
    .order('score', { ascending: false })
    .order('endpoint_id');
}

async function readLeaderboard(db: Db, limit: number): Promise<readonly ListedSnapshot[]> {
  const response = await queryRanking(db, SNAPSHOT_COLUMNS)
    .eq('error_flags', 0)
    .gte('confidence', 0.5)
    .limit(limit);
  return addUptimeDays(db, z.array(snapshotRowSchema).parse(unwrap('read the leaderboard', response)));
}

async function readProbedResource(db: Db): Promise<string | null> {
  const response = await queryRanking(db, 'resource')
    .eq('templated', false)
    .not('last_probed_at', 'is', null)
    .limit(1);
  const [row] = z.array(z.object({ resource: z.string() })).parse(unwrap('read a probed endpoint', response));
  return row?.resource ?? null;
}
