import { afterAll, beforeAll } from 'vitest';
import type { DeliveryState } from '@touchstone/contract';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import {
  connect,
  createPublicStore,
  finishDiscovery,
  readScoringInputs,
  recordListings,
  recordObservations,
  saveSnapshots,
  startDiscovery,
  claimScores,
  type Db,
  type ListedEndpoint,
  type Observation,
  type PayOn,
  type SnapshotRow,
  type PaymentTerms,
} from '../index.ts';
import type { ListedPage } from '../discovery/discovery.ts';

export const T0 = Date.parse('2026-11-01T00:00:00Z');

/** Results of a probe without a response, and of a probe that the endpoint refused. */
export const DOWN = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
export const BLOCKED = { ...DOWN, vitality: 'neither', outcome: 'blocked' } as const;

/** Returns the id of the endpoint with a number. The ids have the order of the numbers. */
export function makeId(n: number): string {
  return `e${n.toString().padStart(9, '0')}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}

export function toIso(time: number): string {
  return new Date(time).toISOString();
}

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
 * Opens a database for the tests of a file or of a `describe`, and closes it after the tests. The members of the result
 * can be read only in hooks and tests.
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
    exampleRequest: null,
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
    neededSettings: [],
    redirect: null,
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

/** Changes of a snapshot row and of its snapshot. */
type RowChange = Partial<Omit<SnapshotRow, 'snapshot'>> & {
  readonly snapshot?: Partial<SnapshotRow['snapshot']>;
};

/** Returns a snapshot row as the scoring job stores it. */
export function makeSnapshotRow(
  id: string,
  score: number,
  { snapshot, ...extra }: RowChange = {},
): SnapshotRow {
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
      ...{ latencyMsP50: 110, latencyMsP95: 240, exampleRequest: null },
      ...{ probes30d: 100, scoredProbes30d: 100, blocked30d: 0, blockedSince: null },
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
      delivery: null,
      daysTracked: 3,
      errorFlags: 0,
      warningFlags: 1,
      ...snapshot,
    },
    search: { text: `Text of ${id}`, textHash: `hash of ${id}`, described: false },
    public: true,
    contentHash: `hash of ${score}`,
    detail: { scoringVersion: '1.0.0', inputs: { secret: 'reasons', everChallenged: true }, facts: {} },
    revision: 1,
    ...extra,
  };
}

/** Returns a delivery with this state, without purchases and without outcomes of buyers. */
export function makeDelivery(state: DeliveryState | null): SnapshotRow['snapshot']['delivery'] {
  return { state, last: null, buyers: { delivered: 0, failed: 0 } };
}

/** Returns a payment option of a snapshot. */
export function makePayOn(extra: Partial<PayOn> = {}): PayOn {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0xusdc',
    assetSymbol: 'USDC',
    decimals: 6,
    amount: '1000',
    amountUsd: '0.001000',
    payTo: '0xa',
    ...extra,
  };
}

/** An endpoint, or the id of an endpoint that has the default listing. */
type Listed = ListedEndpoint | string;

/** Returns a directory page with the given endpoints, and the progress of the run after this page. */
export function makePage(listed: readonly Listed[], offset = 0): ListedPage {
  const endpoints = listed.map((one) => (typeof one === 'string' ? makeEndpoint(one) : one));
  const items = endpoints.length;
  const next = { offset: offset + items, pageSize: items, pages: 1, items, total: null };
  return { offset, next, items, duplicates: 0, rejected: 0, rejects: [], endpoints };
}

/** Returns common test actions on a database. */
function makeActions(db: Db) {
  const read =
    (end: 'complete' | 'incomplete') =>
    async (directory: string, at: number, endpoints: readonly Listed[]) => {
      const { id } = await startDiscovery(db, directory, at);
      await recordListings(db, { id, at }, makePage(endpoints));
      return finishDiscovery(db, { id, at }, { end, note: null });
    };
  const record = (observations: readonly Observation[], now: number, owner = 'w') =>
    recordObservations(db, { owner, now }, { observations, challenges: [] });
  return {
    discover: read('complete'),
    discoverPartly: read('incomplete'),
    record,
    /** Records one observation at its time. */
    observe: (id: string, at: number, extra: Partial<Observation> = {}) =>
      record([makeObservation(id, at, extra)], at),
    /** Stores the snapshot of an endpoint with a score of 50 and the given changes. Returns the changed endpoints. */
    publish: (id: string, at: number, change: RowChange = {}) =>
      saveSnapshots(db, at, [makeSnapshotRow(id, 50, change)]),
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
