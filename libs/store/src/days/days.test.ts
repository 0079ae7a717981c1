import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { pruneRows, recordEcosystemDay, saveSnapshots, type SnapshotRow } from '../index.ts';
import { LISTING_SOURCES } from '../snapshots/snapshot.ts';
import { ALL_ENDPOINTS } from '../testing/explore.ts';
import { T0, toIso, makeId, makeSnapshotRow, useTestDatabase, makeObservation } from '../testing/fixtures.ts';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.from('ecosystem_days').delete().gte('day', '2000-01-01');
});

type Change = Partial<SnapshotRow['snapshot']>;
type Row = Change & { readonly isPublic: boolean; readonly tags?: readonly string[] };

/** Replaces all endpoints and snapshots of the database. */
async function store(rows: readonly Row[]): Promise<void> {
  await database.db.from('endpoints').delete().neq('id', '');
  const ids = rows.map((_, index) => makeId(index));
  await database.discoverPartly('days', T0, ids);
  for (const [set, members] of Map.groupBy(rows.keys(), (index) => (rows[index]?.tags ?? []).join())) {
    const tags = set === '' ? [] : set.split(',');
    await database.db.from('endpoints').update({ tags }).in('id', members.map(makeId)).throwOnError();
  }
  // `snapshot` also contains `tags`. The database ignores this property, because tags are stored in the table
  // `endpoints`.
  const snapshots = rows.map(({ isPublic, ...snapshot }, index) =>
    makeSnapshotRow(makeId(index), 50, { public: isPublic, snapshot }),
  );
  await saveSnapshots(database.db, T0 + HOUR_MS, snapshots);
}

function createFailure(error: string) {
  const at = toIso(T0);
  return {
    at,
    since: at,
    phase: 'response',
    httpStatus: null,
    error,
    detail: 'It failed.',
    causes30d: {},
  } as const;
}

const rowArbitrary = fc.record({
  isPublic: fc.boolean(),
  host: fc.constantFrom('a.example.com', 'b.example.com', 'c.example.com'),
  grade: fc.constantFrom(...GRADES),
  recommendation: fc.constantFrom(...RECOMMENDATIONS),
  listingStatus: fc.constantFrom('listed' as const, 'delisted' as const),
  listingSource: fc.constantFrom(...LISTING_SOURCES),
  lastProbedAt: fc.constantFrom(null, toIso(T0)),
  failingSince: fc.constantFrom(null, toIso(T0)),
  lastFailure: fc.constantFrom(null, createFailure('timeout'), createFailure('http-410')),
  isCompliant: fc.constantFrom(null, true, false),
  network: fc.constantFrom(null, 'eip155:8453', 'solana:mainnet'),
  templated: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom('weather', 'ai', 'data')),
  amountUsd: fc.constantFrom(null, '0', '0.000001', '0.01', '0.010000', '2.5', '1000000'),
});

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Returns the percentile `q` of the prices: at least the share `q` of the prices is at or below the returned price. */
function computePercentile(prices: readonly number[], q: number): number | undefined {
  return prices.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(q * prices.length) - 1)];
}

/** Computes the figures of a day from the rows. */
function summarize(all: readonly Row[]) {
  const rows = all.filter(({ isPublic }) => isPublic);
  const listed = rows.filter((row) => row.listingStatus === 'listed' && row.listingSource === 'directory');
  const prices = listed
    .filter((row) => row.templated === false)
    .map((row) => Number(row.amountUsd))
    .filter((price) => price > 0);
  const count = (matches: (row: Row) => boolean) => listed.filter(matches).length;
  const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
  return {
    day: '2026-11-02',
    computedAt: toIso(T0 + DAY_MS),
    endpoints: rows.length,
    listed: listed.length,
    delisted: rows.filter((row) => row.listingStatus === 'delisted' && row.listingSource === 'directory')
      .length,
    reachable: count((row) => row.lastProbedAt !== null && row.failingSince === null),
    compliant: count((row) => row.isCompliant === true),
    providers: new Set(rows.map(({ host }) => host)).size,
    grades: { ...zeros(GRADES), ...countBy(listed.map(({ grade }) => grade ?? '?')) },
    recommendations: {
      ...zeros(RECOMMENDATIONS),
      ...countBy(listed.map(({ recommendation }) => recommendation ?? '')),
    },
    networks: countBy(listed.map(({ network }) => network ?? 'none')),
    prices:
      prices.length === 0
        ? null
        : {
            count: prices.length,
            p10: computePercentile(prices, 0.1),
            p25: computePercentile(prices, 0.25),
            p50: computePercentile(prices, 0.5),
            p75: computePercentile(prices, 0.75),
            p90: computePercentile(prices, 0.9),
          },
    causes: countBy(
      listed.filter((row) => row.failingSince !== null).map((row) => row.lastFailure?.error ?? 'unknown'),
    ),
    tags: countBy(listed.flatMap(({ tags = [] }) => tags)),
    // No wallet of these endpoints was read. `settled-volume.test.ts` has payments.
    ...{ settledVolumeUsd30d: null, receivers30d: null, payers30d: null },
  };
}

/** Reads the recorded days with prices as numbers, because equal prices can have different numbers of decimals. */
async function readDays() {
  const days = await database.openStore().readEcosystemDays(365);
  return days.map((day) => ({
    ...day,
    prices:
      day.prices &&
      Object.fromEntries(Object.entries(day.prices).map(([name, value]) => [name, Number(value)])),
  }));
}

describe('the figures of a day', () => {
  it('are those of all public snapshots', async () => {
    const rows = fc.array(rowArbitrary, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(rows, async (some) => {
        await store(some);
        expect(await recordEcosystemDay(database.db, T0 + DAY_MS)).toBe(true);
        expect(await readDays()).toEqual([summarize(some)]);
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  it('have the 30 most frequent networks, and count the others together', async () => {
    const networks = Array.from({ length: 33 }, (_, index) => `eip155:${index + 10}`);
    const listed = [...networks.slice(0, 29), ...networks, null].map((network) => ({
      isPublic: true,
      network,
    }));
    await store(listed);
    await recordEcosystemDay(database.db, T0);
    const [day] = await database.openStore().readEcosystemDays(1);
    expect(Object.keys(day?.networks ?? {})).toHaveLength(32);
    expect(day?.networks).toMatchObject({ none: 1, 'eip155:10': 2, 'eip155:39': 1, other: 3 });
  });
});

describe('the days', () => {
  beforeEach(() => store([{ isPublic: true }]));

  it('are replaced only by later figures of the same day', async () => {
    expect(await recordEcosystemDay(database.db, T0 + 2 * HOUR_MS)).toBe(true);
    await store([]);
    expect(await recordEcosystemDay(database.db, T0 + HOUR_MS)).toBe(false);
    expect(await database.openStore().readEcosystemDays(1)).toMatchObject([
      { day: '2026-11-01', endpoints: 1 },
    ]);
    expect(await recordEcosystemDay(database.db, T0 + 3 * HOUR_MS)).toBe(true);
    const computedAt = toIso(T0 + 3 * HOUR_MS);
    expect(await database.openStore().readEcosystemDays(1)).toMatchObject([
      { computedAt, endpoints: 0, providers: 0 },
    ]);
  });

  it('are read from the oldest to the latest, at most 365', async () => {
    for (const day of [0, 1, 3]) await recordEcosystemDay(database.db, T0 + day * DAY_MS);
    const readDates = async (count: number) =>
      (await database.openStore().readEcosystemDays(count)).map(({ day }) => day);
    expect(await readDates(2)).toEqual(['2026-11-02', '2026-11-04']);
    expect(await readDates(10_000)).toEqual(['2026-11-01', '2026-11-02', '2026-11-04']);
  });

  it('are deleted when they are older than a given day', async () => {
    for (const day of [0, 1, 2]) await recordEcosystemDay(database.db, T0 + day * DAY_MS);
    expect(await pruneRows(database.db, { ecosystem_days: T0 + 2 * DAY_MS }, 10)).toMatchObject({
      ecosystem_days: 2,
    });
    expect(await database.openStore().readEcosystemDays(365)).toMatchObject([{ day: '2026-11-03' }]);
  });
});

let tests = 0;
/** Adds an endpoint and returns its id. */
async function addEndpoint(): Promise<string> {
  tests += 1;
  const id = `days22222${tests + 1}`;
  await database.discoverPartly('days', T0, [id]);
  return id;
}

it('returns the uptime, the latency percentiles and the last price of each day, oldest first', async () => {
  const id = await addEndpoint();
  const observe = (at: number, extra: Parameters<typeof makeObservation>[2]) =>
    database.observe(id, at, extra);
  await observe(T0 + HOUR_MS, { responseMs: 100, responseBucket: 32, amountUsd: '0.01' });
  await observe(T0 + 2 * HOUR_MS, { responseMs: 201, responseBucket: 36, amountUsd: '0.02' });
  await observe(T0 + 3 * HOUR_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await observe(T0 + 4 * HOUR_MS, { vitality: 'neither', responseMs: null, responseBucket: null });
  await observe(T0 + 2 * DAY_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await saveSnapshots(database.db, T0 + 2 * DAY_MS + HOUR_MS, [makeSnapshotRow(id, 50)]);
  expect(await database.openStore().readEndpointDays(id)).toEqual([
    {
      ...{ day: '2026-11-01', probes: 4, scored: 3, up: 2, amountUsd: '0.02' },
      ...{ latencyMsP50: 115, latencyMsP95: 202 },
    },
    {
      ...{ day: '2026-11-03', probes: 1, scored: 1, up: 0, amountUsd: null },
      ...{ latencyMsP50: null, latencyMsP95: null },
    },
  ]);
});

it('returns the 30 days that end with the day of the snapshot', async () => {
  const id = await addEndpoint();
  const days = Array.from({ length: 32 }, (_, day) => T0 + day * DAY_MS);
  await database.record(
    days.map((at) => makeObservation(id, at)),
    days.at(-1) ?? T0,
  );
  // The snapshot is one day older than the last observation.
  await saveSnapshots(database.db, T0 + 31 * DAY_MS - 1, [makeSnapshotRow(id, 50)]);
  const returned = (await database.openStore().readEndpointDays(id)).map(({ day }) => day);
  expect(returned).toHaveLength(30);
  expect([returned[0], returned.at(-1)]).toEqual(['2026-11-02', '2026-12-01']);
});

it('returns nothing for an endpoint without a public snapshot', async () => {
  const id = await addEndpoint();
  await database.observe(id, T0);
  expect(await database.openStore().readEndpointDays(id)).toEqual([]);
  await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(id, 50, { public: false })]);
  expect(await database.openStore().readEndpointDays(id)).toEqual([]);
  expect(await database.openStore().readEndpointDays("' or true --")).toEqual([]);
});

it('adds the uptime of each of the 30 days to the endpoints of a list', async () => {
  const id = await addEndpoint();
  await database.observe(id, T0 + HOUR_MS, {});
  await database.observe(id, T0 + 2 * HOUR_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await database.observe(id, T0 + 3 * HOUR_MS, {});
  await database.observe(id, T0 + DAY_MS, { vitality: 'neither', responseMs: null, responseBucket: null });
  await database.observe(id, T0 + 2 * DAY_MS, { vitality: 'down', responseMs: null, responseBucket: null });
  await saveSnapshots(database.db, T0 + 2 * DAY_MS + HOUR_MS, [
    makeSnapshotRow(id, 99, {
      snapshot: { host: 'spark.example.com', resource: `https://spark.example.com/${id}` },
    }),
  ]);
  const { snapshots } = await database.openStore().explore({ ...ALL_ENDPOINTS, host: 'spark.example.com' });
  const uptimeDays = [...Array.from({ length: 27 }, () => null), 66.6, null, 0];
  expect(snapshots).toMatchObject([{ endpointId: id, uptimeDays }]);
});
