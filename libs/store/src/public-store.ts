import { z } from 'zod';
import { call, connect, unwrap, type ConnectOptions, type Db } from './client/client.ts';
import { readEndpointProvider, readHostClaim } from './claims/claim-settings.ts';
import { addUptimeDays, readEcosystemDays, readEndpointDays, type ListedSnapshot } from './days/days.ts';
import { readCorrections, readEndpointDisputes } from './disputes/disputes.ts';
import { countEcosystemEvents, readEcosystemEvents } from './events/ecosystem-events.ts';
import { explore, hasProvider, readProvider, suggest } from './explore/explore.ts';
import {
  readCategories,
  readPageTarget,
  readSitemapEndpoints,
  readSitemapProviders,
  readSitemapShards,
} from './sitemap/sitemap.ts';
import { findPublishedPurchase, readPurchaseLedger } from './purchases/published-purchases.ts';
import { ecosystemSchema, SNAPSHOT_COLUMNS, snapshotRowSchema, type Snapshot } from './snapshots/snapshot.ts';

/** Queries of public data, by the name of their method. */
const QUERIES = {
  readSnapshot,
  readSnapshots,
  readLeaderboard,
  readEcosystem,
  findBestProbedResource,
  explore,
  suggest,
  readProvider,
  hasProvider,
  readEcosystemEvents,
  countEcosystemEvents,
  readEndpointDays,
  readEndpointDisputes,
  readCorrections,
  findPurchase: findPublishedPurchase,
  readPurchaseLedger,
  readEcosystemDays,
  readSitemapShards,
  readSitemapEndpoints,
  readSitemapProviders,
  readCategories,
  readEndpointProvider,
  readHostClaim,
  findPageTarget: readPageTarget,
};

type Query = (typeof QUERIES)[keyof typeof QUERIES];
/** Query without its parameter for the database. */
type Method<Type extends Query> = Type extends (db: Db, ...args: infer Arguments) => infer Result
  ? (...args: Arguments) => Result
  : never;

/** Public data, read with the publishable key. */
export type PublicStore = { readonly [Name in keyof typeof QUERIES]: Method<(typeof QUERIES)[Name]> };

/**
 * Creates a store for public data, read under row-level security. Every method throws StoreError when the database cannot
 * be reached.
 * @param options - `key` is the publishable key.
 */
export function createPublicStore(options: ConnectOptions): PublicStore {
  const db = connect(options);
  const queries = Object.entries<(db: Db, ...args: never[]) => unknown>(QUERIES);
  const methods = queries.map(([name, query]) => [name, (...args: never[]) => query(db, ...args)]);
  // The cast is safe: each method is the query of its name.
  return Object.fromEntries(methods) as PublicStore;
}

/** Returns statistics of all public snapshots. */
async function readEcosystem(db: Db) {
  return ecosystemSchema.parse(await call(db, 'ecosystem', {}));
}

/** Returns the public snapshot of an endpoint; null if the endpoint has no public snapshot. */
async function readSnapshot(db: Db, endpointId: string): Promise<Snapshot | null> {
  const response = await db.from('snapshots').select(SNAPSHOT_COLUMNS).eq('endpoint_id', endpointId).limit(1);
  const [row] = z.array(snapshotRowSchema).parse(unwrap('read a snapshot', response));
  return row ?? null;
}

/** Returns the public snapshots of at most 50 endpoints in any order. Ids without a public snapshot are left out. */
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

/**
 * Returns at most `limit` graded endpoints that a directory lists, with a confidence of at least 0.5 and no error flag.
 * The endpoints are ordered by the lower bound of the score range, then by score; the best is first.
 */
async function readLeaderboard(db: Db, limit: number): Promise<readonly ListedSnapshot[]> {
  const response = await queryRanking(db, SNAPSHOT_COLUMNS)
    .eq('error_flags', 0)
    .gte('confidence', 0.5)
    .limit(limit);
  return addUptimeDays(db, z.array(snapshotRowSchema).parse(unwrap('read the leaderboard', response)));
}

/**
 * Returns the URL of the best endpoint of the leaderboard order, with any confidence; null if there is none. The endpoint
 * is graded, and a directory lists it. URL templates and endpoints without probes are left out.
 */
async function findBestProbedResource(db: Db): Promise<string | null> {
  const response = await queryRanking(db, 'resource')
    .eq('templated', false)
    .not('last_probed_at', 'is', null)
    .limit(1);
  const [row] = z.array(z.object({ resource: z.string() })).parse(unwrap('read a probed endpoint', response));
  return row?.resource ?? null;
}
