import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPublicStore, saveSnapshots } from '../index.ts';
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

let tests = 0;
/** Adds an endpoint and returns its id. */
async function addEndpoint(): Promise<string> {
  tests += 1;
  const id = `days22222${tests + 1}`;
  await database.discoverPartly('days', T0, [makeEndpoint(id)]);
  return id;
}

const openStore = () => createPublicStore({ url: database.url, key: database.keys.publishable });

it('returns the uptime, the mean latency and the last price of each day, oldest first', async () => {
  const id = await addEndpoint();
  const observe = (at: number, extra: Parameters<typeof makeObservation>[2]) =>
    database.record([makeObservation(id, at, extra)], at);
  await observe(T0 + HOUR_MS, { responseMs: 100, amountUsd: '0.01' });
  await observe(T0 + 2 * HOUR_MS, { responseMs: 201, amountUsd: '0.02' });
  await observe(T0 + 3 * HOUR_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await observe(T0 + 4 * HOUR_MS, { vitality: 'neither', responseMs: null, responseBucket: null });
  await observe(T0 + 2 * DAY_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await saveSnapshots(database.db, T0 + 2 * DAY_MS + HOUR_MS, [makeSnapshotRow(id, 50)]);
  expect(await openStore().endpointDays(id)).toEqual([
    { day: '2026-11-01', probes: 4, scored: 3, up: 2, latencyMs: 151, amountUsd: '0.02' },
    { day: '2026-11-03', probes: 1, scored: 1, up: 0, latencyMs: null, amountUsd: null },
  ]);
});

it('returns the 30 days that end with the day of the snapshot', async () => {
  const id = await addEndpoint();
  const days = Array.from({ length: 32 }, (_, day) => T0 + day * DAY_MS);
  for (const at of days) await database.record([makeObservation(id, at)], at);
  // The snapshot is one day older than the last observation.
  await saveSnapshots(database.db, T0 + 31 * DAY_MS - 1, [makeSnapshotRow(id, 50)]);
  const returned = (await openStore().endpointDays(id)).map(({ day }) => day);
  expect(returned).toHaveLength(30);
  expect([returned[0], returned.at(-1)]).toEqual(['2026-11-02', '2026-12-01']);
});

it('returns nothing for an endpoint without a public snapshot', async () => {
  const id = await addEndpoint();
  await database.record([makeObservation(id, T0)], T0);
  expect(await openStore().endpointDays(id)).toEqual([]);
  await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(id, 50, { public: false })]);
  expect(await openStore().endpointDays(id)).toEqual([]);
  expect(await openStore().endpointDays("' or true --")).toEqual([]);
});
