import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  createPublicStore,
  refreshEcosystem,
  saveSnapshots,
  StoreError,
  type SnapshotRow,
} from '../index.ts';
import {
  T0,
  makeEndpoint,
  makeObservation,
  makeSnapshotRow,
  openTestDatabase,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('snapshots', () => {
  const id = 'kkkkkkkkkk';
  const row = (score: number, extra: Partial<SnapshotRow> = {}) => makeSnapshotRow(id, score, extra);

  it('exposes only the public rows and columns', async () => {
    await database.discover('snap', T0, [makeEndpoint(id)]);
    expect(await saveSnapshots(database.db, T0 + HOUR_MS, [row(88.8)])).toEqual([id]);
    const open = createPublicStore({ url: database.url, key: database.keys.publishable });
    expect(await open.snapshot(id)).toMatchObject({ score: 88.8, firstSeen: '2026-11-01T00:00:00.000Z' });
    expect((await open.leaderboard(25)).map((snapshot) => snapshot.endpointId)).toEqual([id]);
    expect(await refreshEcosystem(database.db)).toBe(true);
    expect(await open.ecosystem()).toMatchObject({ endpoints: 1, grades: { A: 1 } });
    expect(await refreshEcosystem(database.db)).toBe(false);

    const publicDb = connect({ url: database.url, key: database.keys.publishable });
    for (const table of ['snapshot_details', 'endpoints', 'observations', 'leases', 'challenges'] as const) {
      const { data } = await publicDb.from(table).select('*');
      expect(data ?? []).toEqual([]);
    }
    await expect(saveSnapshots(publicDb, T0, [row(100)])).rejects.toThrow(StoreError);
    await publicDb.from('snapshots').update({ score: 100 }).eq('endpoint_id', id);
    expect((await open.snapshot(id))?.score).toBe(88.8);

    await saveSnapshots(database.db, T0 + HOUR_MS, [row(88.8, { public: false })]);
    expect(await open.snapshot(id)).toBeNull();
    await refreshEcosystem(database.db);
    expect((await open.ecosystem()).endpoints).toBe(0);
    await expect(refreshEcosystem(publicDb)).rejects.toThrow(StoreError);
  });

  it('has no sample endpoint before the first probe, and never a template', async () => {
    const young = 'mmmmmmmmmm';
    await database.discover('young', T0, [makeEndpoint(young)]);
    const open = createPublicStore({ url: database.url, key: database.keys.publishable });
    const save = (extra: Partial<SnapshotRow['snapshot']>, visible = true) => {
      const { snapshot, ...rest } = makeSnapshotRow(young, 40, { public: visible });
      const changed = { ...snapshot, confidence: 0.01, lastProbedAt: new Date(T0).toISOString(), ...extra };
      return saveSnapshots(database.db, T0 + HOUR_MS, [{ ...rest, snapshot: changed }]);
    };
    await save({ lastProbedAt: null });
    expect(await open.bestProbedResource()).toBeNull();
    await save({});
    expect(await open.leaderboard(25)).toEqual([]);
    expect(await open.bestProbedResource()).toBe(`https://${young}.example.com/`);
    await save({ templated: true });
    expect(await open.bestProbedResource()).toBeNull();
    await save({}, false);
    expect(await open.bestProbedResource()).toBeNull();
  });

  it('returns which content changed, and stores the time of the change', async () => {
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [row(70)]);
    expect(await saveSnapshots(database.db, T0 + 3 * HOUR_MS, [row(70)])).toEqual([]);
    const open = createPublicStore({ url: database.url, key: database.keys.publishable });
    expect(await open.snapshot(id)).toMatchObject({
      contentChangedAt: new Date(T0 + 2 * HOUR_MS).toISOString(),
      computedAt: new Date(T0 + 3 * HOUR_MS).toISOString(),
    });
  });

  it('is computed again after concurrent observations, independent of clocks', async () => {
    const other = 'llllllllll';
    await database.discover('late', T0, [makeEndpoint(other)]);
    const read = await database.readInput(other, T0 + 5 * HOUR_MS);
    await database.record([makeObservation(other, T0 + HOUR_MS)], T0 + HOUR_MS);
    const late = row(50, { revision: read?.revision ?? -1 });
    await saveSnapshots(database.db, T0 + 5 * HOUR_MS, [
      { ...late, snapshot: { ...late.snapshot, endpointId: other } },
    ]);
    expect(await database.readQueue(T0 + 5 * HOUR_MS)).toContain(other);
    const again = await database.readInput(other, T0 + 5 * HOUR_MS);
    expect(again?.sums?.probes).toBe(1);
    const newer = {
      ...late,
      revision: again?.revision ?? -1,
      snapshot: { ...late.snapshot, endpointId: other },
    };
    await saveSnapshots(database.db, T0 + 5 * HOUR_MS, [newer]);
    expect(await database.readQueue(T0 + 5 * HOUR_MS)).not.toContain(other);
  });

  it('names the failed operation when the database cannot be reached', async () => {
    const unreachable = createPublicStore({ url: 'http://127.0.0.1:1', key: database.keys.publishable });
    await expect(unreachable.snapshot(id)).rejects.toThrow(/Could not read a snapshot/);
  });
});
