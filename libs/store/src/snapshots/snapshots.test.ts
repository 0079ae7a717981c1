import { HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  createPublicStore,
  refreshEcosystem,
  saveSnapshots,
  type SnapshotRow,
  readBulkScores,
} from '../index.ts';
import { T0, makeSnapshotRow, useTestDatabase, toIso } from '../testing/fixtures.ts';

const database = useTestDatabase();

const DELIVERY = { state: 'mixed', last: null, buyers: { delivered: 1, failed: 2 } } as const;

describe('snapshots', () => {
  const id = 'kkkkkkkkkk';
  const row = (score: number, extra: Partial<SnapshotRow> = {}) => makeSnapshotRow(id, score, extra);

  it('shows only public rows', async () => {
    await database.discover('snap', T0, [id]);
    expect(await saveSnapshots(database.db, T0 + HOUR_MS, [row(88.8)])).toEqual([id]);
    const open = database.openStore();
    expect(await open.readSnapshot(id)).toMatchObject({ score: 88.8, firstSeen: '2026-11-01T00:00:00.000Z' });
    expect((await open.readLeaderboard(25)).map((snapshot) => snapshot.endpointId)).toEqual([id]);
    expect(await refreshEcosystem(database.db)).toBe(true);
    expect(await open.readEcosystem()).toMatchObject({ endpoints: 1, grades: { A: 1 } });
    expect(await refreshEcosystem(database.db)).toBe(false);

    await saveSnapshots(database.db, T0 + HOUR_MS, [row(88.8, { public: false })]);
    expect(await open.readSnapshot(id)).toBeNull();
    await refreshEcosystem(database.db);
    expect((await open.readEcosystem()).endpoints).toBe(0);
  });

  it('has no sample endpoint before the first probe, and never a template', async () => {
    const young = 'mmmmmmmmmm';
    await database.discover('young', T0, [young]);
    const open = database.openStore();
    const save = (extra: Partial<SnapshotRow['snapshot']>, visible = true) => {
      const snapshot = { confidence: 0.01, lastProbedAt: toIso(T0), ...extra };
      return database.publish(young, T0 + HOUR_MS, { public: visible, snapshot });
    };
    await save({ lastProbedAt: null });
    expect(await open.findBestProbedResource()).toBeNull();
    await save({});
    expect(await open.readLeaderboard(25)).toEqual([]);
    expect(await open.findBestProbedResource()).toBe(`https://${young}.example.com/`);
    await save({ templated: true });
    expect(await open.findBestProbedResource()).toBeNull();
    await save({}, false);
    expect(await open.findBestProbedResource()).toBeNull();
  });

  it('returns which content changed, and stores the time of the change', async () => {
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [row(70)]);
    expect(await saveSnapshots(database.db, T0 + 3 * HOUR_MS, [row(70)])).toEqual([]);
    const open = database.openStore();
    expect(await open.readSnapshot(id)).toMatchObject({
      contentChangedAt: toIso(T0 + 2 * HOUR_MS),
      computedAt: toIso(T0 + 3 * HOUR_MS),
    });
  });

  it('names the failed operation when the database cannot be reached', async () => {
    const unreachable = createPublicStore({ url: 'http://127.0.0.1:1', key: database.keys.publishable });
    await expect(unreachable.readSnapshot(id)).rejects.toThrow(/Could not read a snapshot/);
  });
});

interface Change extends Partial<Omit<SnapshotRow, 'snapshot'>> {
  readonly errorFlags?: number;
}

async function save(id: string, { errorFlags = 0, ...change }: Change = {}): Promise<string> {
  await database.discover(id, T0, [id]);
  await database.publish(id, T0 + HOUR_MS, {
    ...change,
    snapshot: { score: 70.5, errorFlags, delivery: DELIVERY },
  });
  return id;
}

it('returns the public scores by id, and leaves out unknown and private endpoints', async () => {
  const id = await save('bulkaaaaaa');
  const hidden = await save('bulkbbbbbb', { public: false });
  const scores = await readBulkScores(database.db, [hidden, 'unknownnnn', id]);
  expect([...scores.keys()]).toEqual([id]);
  expect(scores.get(id)).toEqual({
    endpointId: id,
    resource: `https://${id}.example.com/`,
    slug: `k-${id}`,
    score: 70.5,
    grade: 'A',
    recommendation: 'proceed',
    confidence: 0.9,
    lastProbedAt: null,
    computedAt: '2026-11-01T01:00:00.000Z',
    errorFlags: 0,
    delivery: 'mixed',
    inputs: null,
  });
  expect(await readBulkScores(database.db, [])).toEqual(new Map());
});

it('returns the time of a probe that is newer than the score', async () => {
  const id = await save('bulkdddddd');
  const at = T0 + 2 * HOUR_MS;
  await database.observe(id, at);
  expect((await readBulkScores(database.db, [id])).get(id)).toMatchObject({
    lastProbedAt: toIso(at),
    computedAt: toIso(T0 + HOUR_MS),
  });
});

it('rejects inputs that the formula cannot have stored', async () => {
  const id = await save('bulkcccccc', { errorFlags: 1 });
  await expect(readBulkScores(database.db, [id])).rejects.toThrow();
});

it('stores the same columns for a new endpoint and for a known endpoint', async () => {
  const [known, added] = ['oooooooooo', 'pppppppppp'];
  await database.discover('columns', T0, [known, added]);
  await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(known, 10)]);
  // Columns of the same type have different values, so two interchanged columns are noticed.
  const snapshot: Partial<SnapshotRow['snapshot']> = {
    ...{ slug: 'slug', resource: 'https://same.example.com/', host: 'same.example.com', method: 'PUT' },
    ...{ serviceName: 'Name', description: 'Text', network: 'eip155:1', templated: true, isCompliant: false },
    ...{
      scoreLow: 70.1,
      scoreHigh: 90.2,
      confidence: 0.8,
      uptime30d: 99.1,
      probedPerDay: 40.5,
      duePerDay: 41.5,
    },
    ...{
      latencyMs: 11,
      ...{ probes30d: 12, scoredProbes30d: 17, blocked30d: 18, blockedSince: toIso(T0 + 4) },
      meanGapSeconds: 13,
      daysTracked: 14,
      errorFlags: 15,
      warningFlags: 16,
    },
    ...{ amountUsd: '0.020000', lowestPriceUsd30d: '0.010000', highestPriceUsd30d: '0.030000' },
    ...{ lastProbedAt: toIso(T0 + 1), delistedAt: toIso(T0 + 2), failingSince: toIso(T0 + 3) },
    delivery: DELIVERY,
    ...{ listingStatus: 'delisted', listingSource: 'adopted', grade: 'B', recommendation: 'caution' },
  };
  const rows = [known, added].map((id) =>
    makeSnapshotRow(id, 80, { snapshot, search: { text: 'Text', textHash: 'text', described: true } }),
  );
  await saveSnapshots(database.db, T0 + 2 * HOUR_MS, rows);
  const { data } = await database.db
    .from('snapshots')
    .select()
    .in('endpoint_id', [known, added])
    .throwOnError();
  const [updated, inserted] = data.map((row) => ({ ...row, endpoint_id: null }));
  expect(updated).toEqual(inserted);
  expect(updated).toMatchObject({ score_low: 70.1, score_high: 90.2, text_hash: 'text' });
  const open = database.openStore();
  expect((await open.readSnapshot(added))?.delivery).toEqual(DELIVERY);
});

it('computes statistics with the time of the latest probe, also before the next score', async () => {
  const probed = 'llllllllll';
  await database.discover('probed', T0, [probed]);
  await database.publish(probed, T0 + HOUR_MS, { snapshot: { lastProbedAt: toIso(T0) } });
  const at = T0 + 2 * HOUR_MS;
  await database.observe(probed, at);
  await refreshEcosystem(database.db);
  expect((await database.openStore().readEcosystem()).lastProbedAt).toBe(toIso(at));
});
