import { afterAll, beforeAll } from 'vitest';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import {
  connect,
  createPublicStore,
  finishDiscovery,
  readScoringInputs,
  recordListings,
  recordObservations,
  startDiscovery,
  claimScores,
  type Db,
  type ListedEndpoint,
  type ListedPage,
  type Observation,
  type SnapshotRow,
  type PaymentTerms,
} from '../index.ts';

export const T0 = Date.parse('2026-11-01T00:00:00Z');

/** Starts a database and connects to this database with its secret key. */
async function openTestDatabase() {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const db = connect({ url: database.url, key: keys.secret });
  const { url, connection } = database;
  const openStore = () => createPublicStore({ url, key: keys.publishable });
  return { db, url, keys, connection, openStore, ...makeActions(db), close: () => database.close() };
}
export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

/**
 * Opens a database for the tests of a file or of a `describe`, and closes it after them. Its members can be read when the
 * hooks and tests run.
 */
export function useTestDatabase(): TestDatabase {
  let opened: TestDatabase | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened?.close());
  // The cast is safe, because each member is read from the opened database.
  return new Proxy({} as TestDatabase, {
    get: (_, name): unknown => {
      if (opened === undefined) throw new Error('The test database is not open yet.');
      return Reflect.get(opened, name);
    },
  });
}

export function makeEndpoint(id: string, extra: Partial<ListedEndpoint> = {}): ListedEndpoint {
  const host = `${id}.example.com`;
  return {
    id,
    resource: `https://${host}/`,
    probeUrl: `https://${host}/`,
    host,
    slug: `${id}-example-com-${id}`,
    templated: false,
    serviceName: 'A service',
    description: 'What it does',
    tags: [],
    method: null,
    options: [],
    version: 2,
    intervalSeconds: 1800,
    offsetSeconds: 600,
    scheduled: true,
    ...extra,
  };
}

export function makeTerms(amount: string, payTo: string, network = 'eip155:8453'): PaymentTerms {
  return {
    version: 2,
    options: [],
    prices: { [`${network}|0xusdc`]: amount },
    payTo: { [`${network}|0xusdc`]: [payTo] },
    falseUsdc: false,
    description: null,
    resourceInfoMissing: false,
    headerBodyMismatch: false,
  };
}

export function makeObservation(
  endpointId: string,
  at: number,
  extra: Partial<Observation> = {},
): Observation {
  return {
    endpointId,
    slotAt: null,
    at,
    outcome: 'challenged',
    vitality: 'up',
    excluded: false,
    httpStatus: 402,
    method: 'GET',
    latencyMs: 120,
    resolveMs: 1,
    connectMs: 2,
    tlsMs: 10,
    processingMs: 100,
    transferMs: 1,
    bucket: 33,
    compliance: 'pass',
    challengeHash: null,
    terms: null,
    amountUsd: null,
    failure: null,
    failurePhase: null,
    failureDetail: null,
    responseMs: 121,
    responseBucket: 33,
    ...extra,
  };
}

/** Returns a snapshot row as the scoring job stores it. */
export function makeSnapshotRow(id: string, score: number, extra: Partial<SnapshotRow> = {}): SnapshotRow {
  return {
    snapshot: {
      endpointId: id,
      slug: `k-${id}`,
      resource: `https://${id}.example.com/`,
      host: `${id}.example.com`,
      method: 'GET',
      serviceName: null,
      description: null,
      templated: false,
      protocolVersion: 2,
      score,
      scoreLow: score,
      scoreHigh: score,
      grade: 'A',
      recommendation: 'proceed',
      confidence: 0.9,
      uptime30d: 99.9,
      latencyMs: 120,
      latencyLabel: 'fast',
      probes30d: 100,
      probedPerDay: 47.6,
      duePerDay: 48,
      meanGapSeconds: 1815,
      amountUsd: '0.010000',
      lowestPriceUsd30d: '0.01',
      highestPriceUsd30d: '0.01',
      priceStability: 'stable',
      network: 'eip155:8453',
      payOn: [],
      firstSeen: '2026-11-01T00:00:00.000Z',
      lastProbedAt: null,
      listingStatus: 'listed',
      listingSource: 'directory',
      delistedAt: null,
      directories: ['snap'],
      failingSince: null,
      lastFailure: null,
      isCompliant: true,
      daysTracked: 3,
      errorFlags: 0,
      warningFlags: 1,
    },
    search: { text: `Text of ${id}`, textHash: `hash of ${id}`, described: false },
    public: true,
    contentHash: `hash of ${score}`,
    detail: { scoringVersion: '1.0.0', inputs: { secret: 'reasons', everChallenged: true }, facts: {} },
    revision: 1,
    ...extra,
  };
}

/** Returns a directory page with the given endpoints, and the progress of the run after this page. */
export function makePage(endpoints: readonly ListedEndpoint[], offset = 0): ListedPage {
  const items = endpoints.length;
  const next = { offset: offset + items, pageSize: items, pages: 1, items, total: null };
  return { offset, next, items, duplicates: 0, rejected: 0, rejects: [], endpoints };
}

/** Returns common test actions on a database. */
function makeActions(db: Db) {
  const read =
    (end: 'complete' | 'incomplete') =>
    async (directory: string, at: number, endpoints: ListedEndpoint[]) => {
      const { id } = await startDiscovery(db, directory, at);
      await recordListings(db, { id, at }, makePage(endpoints));
      return finishDiscovery(db, { id, at }, { end, note: null });
    };
  return {
    discover: read('complete'),
    discoverPartly: read('incomplete'),
    record: (observations: Observation[], now: number, owner = 'w') =>
      recordObservations(db, { owner, now }, { observations, challenges: [] }),
    readInput: async (id: string, now: number) => {
      const { inputs } = await readScoringInputs(db, { now, endpointIds: [id] });
      return inputs[0];
    },
    /** Returns the ids of the queued endpoints in scoring order. The lease of 0 seconds does not block later claims. */
    readQueue: async (now: number): Promise<readonly string[]> => {
      const { endpointIds } = await claimScores(db, { now, leaseSeconds: 0, limit: 500 });
      return endpointIds;
    },
    readChangeKinds: async (id: string): Promise<string[]> => {
      const { data } = await db.from('changes').select('kind').eq('endpoint_id', id).order('id');
      return (data ?? []).map((row) => row.kind);
    },
  };
}
