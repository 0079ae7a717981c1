import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys, startEmbedded, type EmbeddedDatabase } from '@touchstone/embedded';
import {
  claimDueEndpoints,
  connect,
  createPublicStore,
  finishDiscovery,
  maintainPartitions,
  readScoringInputs,
  recordListings,
  recordObservations,
  releaseLeases,
  saveSnapshots,
  startDiscovery,
  StoreError,
  type Db,
  type ListedEndpoint,
  type Observation,
  type Terms,
} from './index.ts';

const keys = createKeys();
const T0 = Date.parse('2026-11-01T00:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let database: EmbeddedDatabase;
let db: Db;

beforeAll(async () => {
  database = await startEmbedded({ keys });
  db = connect({ url: database.url, key: keys.secret });
});
afterAll(() => database.close());

function listed(id: string, extra: Partial<ListedEndpoint> = {}): ListedEndpoint {
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
    method: null,
    options: [],
    version: 2,
    intervalSeconds: 1800,
    offsetSeconds: 600,
    scheduled: true,
    ...extra,
  };
}

async function discover(directory: string, at: number, endpoints: ListedEndpoint[], complete = true) {
  const id = await startDiscovery(db, directory, at);
  const recorded = await recordListings(db, { id, at }, endpoints);
  const finished = await finishDiscovery(
    db,
    { id, at, complete },
    {
      items: endpoints.length,
      accepted: endpoints.length,
      duplicates: 0,
      rejected: 0,
      rejects: [],
      note: null,
    },
  );
  return { ...recorded, ...finished };
}

function terms(amount: string, payTo: string, network = 'eip155:8453'): Terms {
  return {
    version: 2,
    options: [],
    prices: { [`${network}|0xusdc`]: amount },
    payTo: { [network]: [payTo] },
    falseUsdc: false,
  };
}

function seen(endpointId: string, at: number, extra: Partial<Observation> = {}): Observation {
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
    ...extra,
  };
}

const record = (observations: Observation[], now: number, owner = 'w') =>
  recordObservations(db, { owner, now }, { observations, challenges: [] });

async function inputOf(id: string, now: number) {
  const inputs = await readScoringInputs(db, { now, maxAgeSeconds: 0, limit: 500 });
  return inputs.find((input) => input.endpoint.id === id);
}

async function kindsOf(id: string): Promise<string[]> {
  const { data } = await db.from('changes').select('kind').eq('endpoint_id', id).order('id');
  return (data ?? []).map((row) => row.kind);
}

describe('discovery', () => {
  const one = listed('aaaaaaaaaa');
  const two = listed('bbbbbbbbbb');

  it('catalogues what is listed once', async () => {
    expect(await discover('d1', T0, [one, two])).toMatchObject({ listed: 2, relisted: 0 });
    expect(await discover('d1', T0 + HOUR, [one, two])).toMatchObject({
      listed: 0,
      relisted: 0,
      delisted: 0,
    });
    expect(await kindsOf(one.id)).toEqual(['listed']);
  });

  it('delists after two complete runs without it, and notes its return', async () => {
    expect((await discover('d1', T0 + 2 * HOUR, [one])).delisted).toBe(0);
    expect((await discover('d1', T0 + 3 * HOUR, [one], false)).delisted).toBe(0);
    expect((await discover('d1', T0 + 4 * HOUR, [one])).delisted).toBe(1);
    expect(await discover('d1', T0 + 5 * HOUR, [one, two])).toMatchObject({ listed: 0, relisted: 1 });
    expect(await kindsOf(two.id)).toEqual(['listed', 'delisted', 'relisted']);
  });

  it('never delists the world when the directory shrinks at once', async () => {
    const many = Array.from({ length: 10 }, (_, i) => listed(`ccccccccc${'abcdefghij'.charAt(i)}`));
    await discover('d2', T0, many);
    for (const hours of [1, 2, 3]) {
      const answer = await discover('d2', T0 + hours * HOUR, many.slice(0, 3));
      expect(answer.delisted).toBe(0);
      expect(answer.note).toContain('shrank');
    }
  });

  it('keeps an endpoint listed while another directory lists it', async () => {
    const shared = listed('dddddddddd');
    await discover('d3', T0, [shared, listed('dddddddddc')]);
    await discover('d4', T0, [shared]);
    for (const hours of [1, 2, 3]) await discover('d3', T0 + hours * HOUR, [listed('dddddddddc')]);
    expect((await inputOf(shared.id, T0 + 3 * HOUR))?.endpoint.listingStatus).toBe('listed');
  });

  it('does not mix two URLs that share an id', async () => {
    await discover('d5', T0, [listed('eeeeeeeeee')]);
    await discover('d5', T0 + HOUR, [listed('eeeeeeeeee', { resource: 'https://other.example/' })]);
    expect((await inputOf('eeeeeeeeee', T0 + HOUR))?.endpoint.resource).toBe(
      'https://eeeeeeeeee.example.com/',
    );
  });
});

describe('claiming', () => {
  const claim = (owner: string, now: number, leaseSeconds = 60) =>
    claimDueEndpoints(db, { owner, now, limit: 500, leaseSeconds });

  it('hands a slot to one worker, and to another one when its lease ran out', async () => {
    await discover('claims', T0, [listed('ffffffffff'), listed('fffffffffa', { scheduled: false })]);
    const mine = (slots: readonly { endpointId: string }[]) =>
      slots.filter((slot) => slot.endpointId.startsWith('fff'));
    const now = T0 + 10 * MINUTE;
    const first = mine(await claim('one', now));
    expect(first).toMatchObject([{ endpointId: 'ffffffffff', slotAt: T0 + 10 * MINUTE }]);
    expect(mine(await claim('two', now + 30_000))).toEqual([]);
    const retaken = mine(await claim('two', now + 61_000));
    expect(retaken).toMatchObject([{ slotAt: T0 + 10 * MINUTE }]);

    const late = await record([seen('ffffffffff', now, { slotAt: now })], now + 62_000, 'one');
    expect(late).toMatchObject({ recorded: 0, dropped: 1 });
    const rightful = await record([seen('ffffffffff', now + 1000, { slotAt: now })], now + 62_000, 'two');
    expect(rightful).toMatchObject({ recorded: 1, dropped: 0 });
  });

  it('does not make up for slots that passed while nobody worked', async () => {
    await discover('gaps', T0, [listed('gggggggggg')]);
    const slots = (await claim('one', T0 + 5 * HOUR)).filter((slot) => slot.endpointId === 'gggggggggg');
    expect(slots.map((slot) => slot.slotAt)).toEqual([T0 + 4 * HOUR + 40 * MINUTE]);
    expect(await releaseLeases(db, 'one')).toBeGreaterThan(0);
    expect(await releaseLeases(db, 'one')).toBe(0);
  });
});

describe('recording', () => {
  it('adds up days, latencies and compliance, and counts nothing twice', async () => {
    const id = 'hhhhhhhhhh';
    await discover('rec', T0, [listed(id)]);
    const rows = [
      seen(id, T0 + HOUR),
      seen(id, T0 + 2 * HOUR, { bucket: 40, latencyMs: 330, compliance: 'errors' }),
      seen(id, T0 + 3 * HOUR, {
        vitality: 'down',
        outcome: 'timeout',
        bucket: null,
        latencyMs: null,
        compliance: null,
      }),
      seen(id, T0 + 25 * HOUR, { vitality: 'neither', outcome: 'blocked', bucket: null, compliance: null }),
    ];
    expect(await record(rows, T0 + 26 * HOUR)).toMatchObject({ recorded: 4 });
    expect(await record(rows, T0 + 26 * HOUR)).toMatchObject({ recorded: 0, dropped: 4 });
    await record([seen(id, T0 + 26 * HOUR)], T0 + 26 * HOUR);
    const input = await inputOf(id, T0 + 27 * HOUR);
    expect(input?.sums).toMatchObject({
      probes: 5,
      scored: 4,
      up: 3,
      blocked: 1,
      pass: 2,
      errors: 1,
      latencyN: 3,
    });
    expect(input?.sums?.latencyHistogram?.[33]).toBe(2);
    expect(input?.sums?.latencyHistogram?.[40]).toBe(1);
    expect(input?.sums?.latencyHistogram).toHaveLength(64);
  });

  it('keeps the beginning of an outage until the endpoint is up again', async () => {
    const id = 'iiiiiiiiii';
    const down = { vitality: 'down', outcome: 'server-error', compliance: null, bucket: null } as const;
    await discover('down', T0, [listed(id)]);
    await record([seen(id, T0), seen(id, T0 + HOUR, down), seen(id, T0 + 2 * HOUR, down)], T0 + 2 * HOUR);
    expect((await inputOf(id, T0 + 2 * HOUR))?.state.downSince).toBe(T0 + HOUR);
    await record([seen(id, T0 + 3 * HOUR, down)], T0 + 3 * HOUR);
    await record([seen(id, T0 + 4 * HOUR, { vitality: 'neither', outcome: 'blocked' })], T0 + 4 * HOUR);
    expect((await inputOf(id, T0 + 4 * HOUR))?.state.downSince).toBe(T0 + HOUR);
    await record([seen(id, T0 + 5 * HOUR)], T0 + 5 * HOUR);
    expect((await inputOf(id, T0 + 5 * HOUR))?.state.downSince).toBeNull();
  });

  it('tells price, wallet and network changes apart', async () => {
    const id = 'jjjjjjjjjj';
    await discover('terms', T0, [listed(id)]);
    const told = (hours: number, next: Terms) => seen(id, T0 + hours * HOUR, { terms: next });
    await record([told(0, terms('1000', '0xa')), told(1, terms('1000', '0xa'))], T0 + HOUR);
    await record([told(2, terms('2000', '0xa')), told(3, terms('2000', '0xb'))], T0 + 3 * HOUR);
    await record([told(4, terms('2000', '0xb', 'eip155:137'))], T0 + 4 * HOUR);
    expect(await kindsOf(id)).toEqual(['listed', 'price_change', 'payto_change', 'asset_network_change']);
    const input = await inputOf(id, T0 + 4 * HOUR);
    expect(input?.changes.map((change) => [change.kind, change.at])).toEqual([
      ['price_change', T0 + 2 * HOUR],
      ['payto_change', T0 + 3 * HOUR],
      ['asset_network_change', T0 + 4 * HOUR],
    ]);
  });

  it('drops whole days that are older than what is kept', async () => {
    const dropped = await maintainPartitions(db, { from: T0, to: T0 + 24 * HOUR, keepFrom: T0 + 24 * HOUR });
    expect(dropped.dropped).toBeGreaterThan(0);
    const { count } = await db
      .from('observations')
      .select('*', { count: 'exact', head: true })
      .lt('at', '2026-11-02T00:00:00Z');
    expect(count).toBe(0);
  });
});

describe('snapshots', () => {
  const id = 'kkkkkkkkkk';
  const row = (score: number, extra = {}) => ({
    snapshot: {
      endpointId: id,
      slug: `k-${id}`,
      resource: `https://${id}.example.com/`,
      host: `${id}.example.com`,
      method: 'GET',
      serviceName: null,
      description: null,
      templated: false,
      protocolVersion: 2 as const,
      score,
      grade: 'A' as const,
      recommendation: 'proceed' as const,
      confidence: 0.9,
      uptime30d: 99.9,
      latencyMs: 120,
      latencyLabel: 'fast' as const,
      probes30d: 100,
      amountUsd: '0.010000',
      priceStability: 'stable' as const,
      network: 'eip155:8453',
      payOn: [],
      firstSeen: '2026-11-01T00:00:00.000Z',
      lastProbedAt: null,
      listingStatus: 'listed' as const,
      delistedAt: null,
      daysTracked: 3,
      errorFlags: 0,
      warningFlags: 1,
      betterAlternatives: null,
    },
    public: true,
    contentHash: `hash of ${score}`,
    detail: { scoringVersion: '1.0.0', inputs: {}, verdict: { secret: 'reasons' } },
    revision: 1,
    ...extra,
  });

  it('is public as far as it is meant to be, and no further', async () => {
    await discover('snap', T0, [listed(id)]);
    expect(await saveSnapshots(db, T0 + HOUR, [row(88.8)])).toEqual([id]);
    const open = createPublicStore({ url: database.url, key: keys.publishable });
    expect(await open.snapshot(id)).toMatchObject({ score: 88.8, firstSeen: '2026-11-01T00:00:00.000Z' });
    expect((await open.leaderboard(25)).map((snapshot) => snapshot.endpointId)).toEqual([id]);
    expect(await open.ecosystem()).toMatchObject({ endpoints: 1, grades: { A: 1 } });

    const anybody = connect({ url: database.url, key: keys.publishable });
    for (const table of ['snapshot_details', 'endpoints', 'observations', 'leases', 'challenges'] as const) {
      const { data } = await anybody.from(table).select('*');
      expect(data ?? []).toEqual([]);
    }
    await expect(saveSnapshots(anybody, T0, [row(100)])).rejects.toThrow(StoreError);
    await anybody.from('snapshots').update({ score: 100 }).eq('endpoint_id', id);
    expect((await open.snapshot(id))?.score).toBe(88.8);

    await saveSnapshots(db, T0 + HOUR, [row(88.8, { public: false })]);
    expect(await open.snapshot(id)).toBeNull();
    expect((await open.ecosystem()).endpoints).toBe(0);
  });

  it('says what is new, and when the content last changed', async () => {
    await saveSnapshots(db, T0 + 2 * HOUR, [row(70)]);
    expect(await saveSnapshots(db, T0 + 3 * HOUR, [row(70)])).toEqual([]);
    const open = createPublicStore({ url: database.url, key: keys.publishable });
    expect(await open.snapshot(id)).toMatchObject({
      contentChangedAt: new Date(T0 + 2 * HOUR).toISOString(),
      computedAt: new Date(T0 + 3 * HOUR).toISOString(),
    });
  });

  it('is computed again for what was recorded meanwhile, whatever the clocks say', async () => {
    const other = 'llllllllll';
    await discover('late', T0, [listed(other)]);
    const read = await inputOf(other, T0 + 5 * HOUR);
    await record([seen(other, T0 + HOUR)], T0 + HOUR);
    const late = row(50, { revision: read?.revision ?? -1 });
    await saveSnapshots(db, T0 + 5 * HOUR, [{ ...late, snapshot: { ...late.snapshot, endpointId: other } }]);
    const waiting = await readScoringInputs(db, { now: T0 + 5 * HOUR, maxAgeSeconds: 86_400, limit: 500 });
    const again = waiting.find((input) => input.endpoint.id === other);
    expect(again?.sums?.probes).toBe(1);
    const newer = {
      ...late,
      revision: again?.revision ?? -1,
      snapshot: { ...late.snapshot, endpointId: other },
    };
    await saveSnapshots(db, T0 + 5 * HOUR, [newer]);
    const done = await readScoringInputs(db, { now: T0 + 5 * HOUR, maxAgeSeconds: 86_400, limit: 500 });
    expect(done.some((input) => input.endpoint.id === other)).toBe(false);
  });

  it('names what failed when the database cannot be reached', async () => {
    const nowhere = createPublicStore({ url: 'http://127.0.0.1:1', key: keys.publishable });
    await expect(nowhere.snapshot(id)).rejects.toThrow(/Could not read a snapshot/);
  });
});
