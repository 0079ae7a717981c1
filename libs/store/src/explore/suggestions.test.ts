import { HOUR_MS } from '@touchstone/common';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PublicStore } from '../index.ts';
import { ALL_ENDPOINTS } from '../testing/explore.ts';
import { makeEndpoint, makePayOn, useTestDatabase, T0, makeId } from '../testing/fixtures.ts';
import { addEndpoints, type SearchableEndpoint } from '../testing/search.ts';

const database = useTestDatabase();
let store: PublicStore;

const make = (n: number, host: string, extra: Partial<SearchableEndpoint> = {}): SearchableEndpoint => ({
  id: makeId(n),
  score: 50 + n,
  vector: null,
  ...extra,
  snapshot: { resource: `https://${host}/weather/${String(n)}`, host, ...extra.snapshot },
});
const ENDPOINTS = [
  make(1, 'api.skies.example', { tags: ['weather', 'forecast'] }),
  make(2, 'api.skies.example', { tags: ['weather'], snapshot: { grade: '?', recommendation: 'unverified' } }),
  make(3, 'skies.example', {
    tags: ['weekly'],
    snapshot: {
      amountUsd: '2.500000',
      listingStatus: 'delisted',
      failingSince: '2026-10-31T00:00:00.000Z',
      uptime30d: null,
    },
  }),
  make(4, 'hidden.example', { public: false, tags: ['secret'] }),
];

beforeAll(async () => {
  store = database.openStore();
  await addEndpoints(database, ENDPOINTS);
});

const suggestIds = async (text: string): Promise<readonly string[]> =>
  (await store.suggest(text)).endpoints.map(({ endpointId }) => endpointId);

describe('suggestions', () => {
  it('have endpoints with a word that starts like the text, the best first', async () => {
    expect(await suggestIds('weath')).toEqual([makeId(1), makeId(2), makeId(3)]);
    expect(await suggestIds('skies weath')).toEqual([makeId(1), makeId(2), makeId(3)]);
    expect(await suggestIds('wether')).toContain(makeId(1));
    expect(await suggestIds('https://skies.example/weather/3')).toContain(makeId(3));
  });

  it('have hosts with public endpoints and tags of listed endpoints that contain the text', async () => {
    const { hosts, tags } = await store.suggest('skies');
    expect(hosts).toEqual([
      { host: 'skies.example', endpoints: 1 },
      { host: 'api.skies.example', endpoints: 2 },
    ]);
    expect(tags).toEqual([]);
    expect((await store.suggest('WE')).tags).toEqual([{ tag: 'weather', endpoints: 2 }]);
    expect((await store.suggest('https://api.skies.example/x')).hosts).toHaveLength(1);
  });

  it.each(['', ' ', '%', '_', '%%%', '___', "'", '\\', '\0', 'secret', 'hidden', ':*', '&|!'])(
    'have nothing for %j',
    async (text) => {
      expect(await store.suggest(text)).toEqual({ endpoints: [], hosts: [], tags: [] });
    },
  );

  it('follow changes of tags and of the visibility, as the counts of the explore page', async () => {
    const readTags = async (text: string) => (await store.suggest(text)).tags;
    const other = { ...makeEndpoint(makeId(1)), resource: 'https://api.skies.example/weather/1' };
    // A directory that lists the endpoint later does not change the tags of the first directory.
    await database.discoverPartly('later', T0 + HOUR_MS, [{ ...other, tags: ['later'] }]);
    expect(await readTags('later')).toEqual([]);
    const first = `directory ${makeId(1)} ${String(T0)}`;
    await database.discover(first, T0 + 2 * HOUR_MS, [{ ...other, tags: ['rain'] }]);
    expect(await readTags('rain')).toEqual([{ tag: 'rain', endpoints: 1 }]);
    expect(await readTags('forecast')).toEqual([]);
    expect((await store.explore({ ...ALL_ENDPOINTS, tag: 'rain' })).total).toBe(1);
    await database.discover(first, T0 + 3 * HOUR_MS, [other]);
    expect(await readTags('later')).toEqual([{ tag: 'later', endpoints: 1 }]);

    await database.publish(makeId(1), T0 + 4 * HOUR_MS, { public: false });
    expect(await readTags('later')).toEqual([]);
    expect((await store.suggest('api.skies')).hosts).toEqual([{ host: 'api.skies.example', endpoints: 1 }]);
    const { total, counts } = await store.explore({ ...ALL_ENDPOINTS, hasCounts: true });
    expect(total).toBe(2);
    for (const choices of [counts?.grades, counts?.recommendations, counts?.networks])
      expect(Object.values(choices ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(2);
    expect(counts?.tags).not.toHaveProperty('later');
  });
});

describe('a provider', () => {
  it('has the figures of its public endpoints', async () => {
    await addEndpoints(database, [make(5, 'sum.example'), make(6, 'sum.example', { snapshot: SUMMED })]);
    const toRollup = (n: number, day: string, [scored, up]: readonly [number, number]) => ({
      ...{ endpoint_id: makeId(n), day, scored, up },
    });
    // The days of the figures are 2026-10-03 to 2026-11-01.
    const rollups = [
      ...[toRollup(5, '2026-10-30', [10, 9]), toRollup(5, '2026-10-31', [0, 0])],
      ...[toRollup(5, '2026-11-01', [15, 2]), toRollup(6, '2026-11-01', [15, 10])],
      ...[toRollup(6, '2026-10-02', [5, 5]), toRollup(6, '2026-11-02', [5, 5])],
    ];
    await database.db.from('daily_rollups').insert(rollups).throwOnError();
    expect(await store.hasProvider('sum.example')).toBe(true);
    expect(await store.readProvider('sum.example')).toEqual({
      host: 'sum.example',
      endpoints: 2,
      listed: 1,
      indexable: 1,
      grades: { A: 1, B: 0, C: 0, D: 1, F: 0, '?': 0 },
      recommendations: { proceed: 1, caution: 0, parameterize: 0, avoid: 1, unverified: 0, free: 0 },
      // 21 of 40 scored probes.
      uptime30d: 52.5,
      days: [
        { day: '2026-10-30', scored: 10, up: 9 },
        { day: '2026-11-01', scored: 30, up: 12 },
      ],
      sampled: 2,
      failing: 1,
      lowestPriceUsd: '0.01',
      highestPriceUsd: '0.01',
      networks: ['eip155:8453', 'eip155:137'],
      firstSeen: '2026-10-01T00:00:00.000Z',
      computedAt: '2026-11-01T01:00:00.000Z',
      contentChangedAt: '2026-11-01T01:00:00.000Z',
    });
  });

  it('have the days of a sample if the host has thousands of endpoints', async () => {
    await addEndpoints(database, [make(7, 'large.example')]);
    // The triggers are off, because this test needs only the tables that the function reads.
    await database.connection.driver.exec(`
      set session_replication_role = replica;
      insert into public.snapshots select (jsonb_populate_record(s, jsonb_build_object('endpoint_id', 'large' || n))).*
      from public.snapshots s, generate_series(1, 1000) n where s.host = 'large.example';
      insert into public.explore_entries
      select (jsonb_populate_record(e, jsonb_build_object('endpoint_id', 'large' || n))).*
      from public.explore_entries e, generate_series(1, 1000) n where e.host = 'large.example';
      insert into public.daily_rollups (endpoint_id, day, scored, up)
      select s.endpoint_id, '2026-10-30', 10, 9 from public.snapshots s where s.host = 'large.example';
      set session_replication_role = origin`);
    expect(await store.readProvider('large.example')).toMatchObject({
      endpoints: 1_001,
      sampled: 200,
      days: [{ day: '2026-10-30', scored: 2_000, up: 1_800 }],
    });
  });

  it.each(['hidden.example', 'absent.example', 'SUM.example', '', "'", '\0', '%'])(
    'is unknown without a public endpoint: %j',
    async (host) => {
      expect(await store.readProvider(host)).toBeNull();
      expect(await store.hasProvider(host)).toBe(false);
    },
  );
});

/** Values of a delisted endpoint that fails. */
const SUMMED: NonNullable<SearchableEndpoint['snapshot']> = {
  grade: 'D',
  recommendation: 'avoid',
  listingStatus: 'delisted',
  failingSince: '2026-10-31T00:00:00.000Z',
  amountUsd: '7.000000',
  payOn: [makePayOn({ network: 'eip155:137' })],
  firstSeen: '2026-10-01T00:00:00.000Z',
};
