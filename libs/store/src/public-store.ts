import { z } from 'zod';
import { connect, unwrap, type ConnectOptions, type Db } from './client.ts';
import { ecosystemSchema, snapshotSchema, type Ecosystem, type Snapshot } from './snapshot.ts';
import { isoTime, timeSchema } from './time.ts';

/** What anybody may read, through the publishable key and row-level security. */
export interface PublicStore {
  /** One snapshot by endpoint id; null when there is no public one. */
  snapshot(endpointId: string): Promise<Snapshot | null>;
  /** The best graded, listed endpoints with confidence of at least 0.5 and no error flag; at most `limit`. */
  leaderboard(limit: number): Promise<readonly Snapshot[]>;
  ecosystem(): Promise<Ecosystem>;
  /** The best-scored of the listed endpoints that were probed, templates aside, whatever is known of it; null when there is none. */
  probedResource(): Promise<string | null>;
}

/**
 * Opens the public side of the database. Every method throws StoreError when the database cannot be reached.
 * @param options `key` is the publishable key.
 */
export function createPublicStore(options: ConnectOptions): PublicStore {
  const db = connect(options);
  return {
    snapshot: (endpointId) => readSnapshot(db, endpointId),
    leaderboard: (limit) => readLeaderboard(db, limit),
    ecosystem: () => readEcosystem(db),
    probedResource: () => readProbedResource(db),
  };
}

const COLUMNS =
  'endpoint_id, slug, resource, host, method, service_name, description, templated, protocol_version, score, ' +
  'grade, recommendation, confidence, uptime_30d, latency_ms, latency_label, probes_30d, ' +
  'probed_per_day, due_per_day, mean_gap_seconds, amount_usd, ' +
  'price_stability, network, pay_on, first_seen, last_probed_at, listing_status, delisted_at, directories, computed_at, ' +
  'content_changed_at, days_tracked, error_flags, warning_flags, better_alternatives';

async function readSnapshot(db: Db, endpointId: string): Promise<Snapshot | null> {
  const answer = await db.from('snapshots').select(COLUMNS).eq('endpoint_id', endpointId).limit(1);
  const [row] = z.array(rowSchema).parse(unwrap('read a snapshot', answer));
  return row ?? null;
}

async function readLeaderboard(db: Db, limit: number): Promise<readonly Snapshot[]> {
  const answer = await db
    .from('snapshots')
    .select(COLUMNS)
    .eq('listing_status', 'listed')
    .neq('grade', '?')
    .eq('error_flags', 0)
    .gte('confidence', 0.5)
    .order('score', { ascending: false })
    .order('endpoint_id')
    .limit(limit);
  return z.array(rowSchema).parse(unwrap('read the leaderboard', answer));
}

async function readProbedResource(db: Db): Promise<string | null> {
  const answer = await db
    .from('snapshots')
    .select('resource')
    .eq('listing_status', 'listed')
    .eq('templated', false)
    .neq('grade', '?')
    .not('last_probed_at', 'is', null)
    .order('score', { ascending: false })
    .order('endpoint_id')
    .limit(1);
  const [row] = z.array(z.object({ resource: z.string() })).parse(unwrap('read a probed endpoint', answer));
  return row?.resource ?? null;
}

async function readEcosystem(db: Db): Promise<Ecosystem> {
  const numbers = z
    .looseObject({ lastProbedAt: iso.nullable() })
    .parse(unwrap('read the ecosystem', await db.rpc('ecosystem')));
  return ecosystemSchema.parse(numbers);
}

/** Both Postgres' and PostgREST's way to print a timestamp, as ISO 8601 UTC. */
const iso = timeSchema.transform(isoTime);

const rowSchema = z
  .record(z.string(), z.unknown())
  .transform((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replace('_30d', '30d').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    ),
  )
  .pipe(
    snapshotSchema.extend({
      firstSeen: iso,
      lastProbedAt: iso.nullable(),
      delistedAt: iso.nullable(),
      computedAt: iso,
      contentChangedAt: iso,
    }),
  );
