import { canonicalize } from '@touchstone/catalog';
import { createSearchText } from '@touchstone/search';
import { saveSnapshots, type Db, type SnapshotRow } from '@touchstone/store';

type Snapshot = SnapshotRow['snapshot'];

/** Endpoint of the catalog with a given verdict. */
export type EndpointChange = Partial<Snapshot> & Pick<Snapshot, 'resource'> & { readonly public?: boolean };

/**
 * Stores endpoints and their snapshots with the given values, as the scoring job does. Scores of real probes would not
 * have exact values. By default an endpoint is listed, has the score 70 and no description.
 *
 * @returns the ids of the endpoints
 */
export async function storeEndpoints(
  db: Db,
  at: number,
  changes: readonly EndpointChange[],
): Promise<readonly string[]> {
  const rows = changes.map((change) => toRow(at, change));
  const endpoints = rows.map(({ snapshot: { endpointId, resource, host, slug, templated, firstSeen } }) => ({
    id: endpointId,
    resource,
    host,
    slug,
    templated,
    first_seen_at: firstSeen,
  }));
  const { error } = await db.from('endpoints').upsert(endpoints);
  if (error) throw new Error(error.message);
  await saveSnapshots(db, at, rows);
  return rows.map(({ snapshot }) => snapshot.endpointId);
}

/** Stores one endpoint like `storeEndpoints`. Returns its id. */
export async function storeEndpoint(db: Db, at: number, change: EndpointChange): Promise<string> {
  const [id = ''] = await storeEndpoints(db, at, [change]);
  return id;
}

/** Stores one endpoint with a probe schedule, as discovery does. Returns its id. */
export async function storeProbedEndpoint(db: Db, at: number, change: EndpointChange): Promise<string> {
  const id = await storeEndpoint(db, at, change);
  const stored = await db
    .from('endpoints')
    .update({ probe_url: change.resource })
    .eq('id', id)
    .select('host')
    .single()
    .throwOnError();
  const slot = { offset_seconds: 0, next_probe_at: new Date(at).toISOString() };
  const schedule = { endpoint_id: id, host: stored.data.host, ...slot };
  await db.from('schedules').upsert(schedule, { onConflict: 'endpoint_id' }).throwOnError();
  return id;
}

function toRow(at: number, { public: isPublic = true, ...change }: EndpointChange): SnapshotRow {
  const canonical = canonicalize(change.resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  const { id, resource, host, slug, templated } = canonical;
  const firstSeen = new Date(at).toISOString();
  const snapshot = { ...DEFAULTS, endpointId: id, slug, host, templated, firstSeen, ...change, resource };
  return {
    snapshot,
    public: isPublic,
    contentHash: JSON.stringify(snapshot),
    detail: { scoringVersion: '1.0.0', inputs: {}, facts: {} },
    revision: 1,
    search: createSearchText(snapshot),
  };
}

const DEFAULTS = {
  method: 'GET',
  serviceName: null,
  description: null,
  protocolVersion: 2,
  score: 70,
  scoreLow: 60,
  scoreHigh: 80,
  grade: 'B',
  recommendation: 'proceed',
  confidence: 0.9,
  uptime30d: 99.9,
  latencyMs: 120,
  latencyLabel: 'fast',
  ...{ latencyMsP50: 110, latencyMsP95: 240, exampleRequest: null },
  ...{ probes30d: 100, scoredProbes30d: 100, blocked30d: 0, blockedSince: null },
  probedPerDay: 48,
  duePerDay: 48,
  meanGapSeconds: 1800,
  amountUsd: '0.01',
  lowestPriceUsd30d: '0.01',
  highestPriceUsd30d: '0.01',
  priceStability: 'stable',
  network: 'eip155:8453',
  payOn: [],
  lastProbedAt: null,
  listingStatus: 'listed',
  listingSource: 'directory',
  delistedAt: null,
  directories: ['test'],
  failingSince: null,
  lastFailure: null,
  isCompliant: true,
  delivery: null,
  daysTracked: 3,
  errorFlags: 0,
  warningFlags: 0,
} as const satisfies Partial<Snapshot>;
