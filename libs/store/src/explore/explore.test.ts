import { DELIVERY_STATES, GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { HOUR_MS } from '@touchstone/common';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  EXPLORE_LISTINGS,
  EXPLORE_PROPERTIES,
  EXPLORE_SORTS,
  InvalidCursorError,
  refreshEcosystem,
  type ExploreQuery,
  type PublicStore,
  type Snapshot,
} from '../index.ts';
import { ALL_ENDPOINTS, isMatch, readAllPages, setExploreLimits, sortSnapshots } from '../testing/explore.ts';
import { makeDelivery, makePayOn, useTestDatabase, T0, makeId } from '../testing/fixtures.ts';
import { addEndpoints, type SearchableEndpoint } from '../testing/search.ts';

const HOSTS = ['one.example', 'two.example', "o'three.example"];
const NETWORKS = ['eip155:8453', 'eip155:137', 'solana:1'];
const TAGS = ['ai', "quote'tag", 'data'];
const PRICES = ['0', '0.010000', '0.01', '0.5', '12'];
const COUNT = 45;
const LIMITS = [
  { matches: 2_000, rows: 2_000 },
  { matches: 2, rows: 3 },
];

const database = useTestDatabase();
let store: PublicStore;
let snapshots: readonly Snapshot[];
const tags = new Map<string, readonly string[]>();

const value = fc.record({
  host: fc.constantFrom(...HOSTS),
  word: fc.constantFrom('weather', 'prices'),
  networks: fc.subarray(NETWORKS),
  tags: fc.subarray(TAGS),
  isPublic: fc.constantFrom(true, true, true, false),
  score: fc.constantFrom(0, 40, 40.5, 100),
  snapshot: fc.record({
    scoreLow: fc.constantFrom(0, 39.9, 40),
    grade: fc.constantFrom(...GRADES),
    recommendation: fc.constantFrom(...RECOMMENDATIONS),
    isCompliant: fc.option(fc.boolean()),
    delivery: fc.option(fc.constantFrom(...DELIVERY_STATES, null).map(makeDelivery)),
    listing: fc.constantFrom(...EXPLORE_LISTINGS, 'listed'),
    lastProbedAt: fc.option(fc.constant('2026-10-01T00:00:00.000Z')),
    failingSince: fc.option(fc.constant('2026-10-01T00:00:00.000Z')),
    amountUsd: fc.option(fc.constantFrom(...PRICES)),
    uptime30d: fc.option(fc.constantFrom(0, 99.9, 100)),
    latencyMs: fc.option(fc.constantFrom(1, 250, 9_000)),
    firstSeen: fc.constantFrom('2026-10-01T00:00:00.123Z', '2026-10-01T00:00:00.124Z'),
  }),
});

function toEndpoint(generated: typeof value extends fc.Arbitrary<infer T> ? T : never, n: number) {
  const { host, word, networks, isPublic, score } = generated;
  const { listing, ...snapshot } = generated.snapshot;
  const id = makeId(n);
  return {
    id,
    score,
    public: isPublic,
    vector: null,
    tags: generated.tags,
    snapshot: {
      ...snapshot,
      listingStatus: listing === 'delisted' ? 'delisted' : 'listed',
      listingSource: listing === 'adopted' ? 'adopted' : 'directory',
      resource: `https://${host}/${word}/${String(n)}`,
      host,
      network: networks[0] ?? null,
      payOn: networks.map((network) => makePayOn({ network })),
    },
  } satisfies SearchableEndpoint;
}
beforeAll(async () => {
  store = database.openStore();
  const endpoints = fc.sample(value, { numRuns: COUNT, seed: 18 }).map(toEndpoint);
  for (const endpoint of endpoints) tags.set(endpoint.id, endpoint.tags);
  // Snapshots of one batch have the same time of change.
  for (const [n, start] of [0, 15, 30].entries())
    await addEndpoints(database, endpoints.slice(start, start + 15), T0 + n * HOUR_MS);
  const found = await Promise.all(endpoints.map(({ id }) => store.readSnapshot(id)));
  snapshots = found.filter((snapshot) => snapshot !== null);
});

function expectIds(query: ExploreQuery): readonly string[] {
  const matching = snapshots.filter((snapshot) =>
    isMatch(snapshot, tags.get(snapshot.endpointId) ?? [], query),
  );
  return sortSnapshots(matching, query.sort).map(({ endpointId }) => endpointId);
}

const NO_FILTERS = {
  ...{ networks: [], grades: [], recommendations: [], properties: [], minPriceUsd: null, maxPriceUsd: null },
  ...{ host: null, tag: null, status: null },
};
const LISTED = { ...NO_FILTERS, status: 'listed' as const };
const filters = fc.record({
  networks: fc.subarray([...NETWORKS, 'eip155:1'], { maxLength: 2 }),
  grades: fc.subarray([...GRADES]),
  recommendations: fc.subarray([...RECOMMENDATIONS]),
  properties: fc.subarray([...EXPLORE_PROPERTIES]),
  minPriceUsd: fc.option(fc.constantFrom('0', '0.01', '0.50')),
  maxPriceUsd: fc.option(fc.constantFrom('0', '0.01', '5', '99999999999999999999999999')),
  host: fc.option(fc.constantFrom(...HOSTS, 'absent.example')),
  tag: fc.option(fc.constantFrom(...TAGS)),
  status: fc.option(fc.constantFrom(...EXPLORE_LISTINGS)),
});
/** Generator of queries with at most two filters, so that most of them have results. */
const query: fc.Arbitrary<ExploreQuery> = fc
  .record({
    filters,
    used: fc.subarray(
      [
        'networks',
        'grades',
        'recommendations',
        'properties',
        'minPriceUsd',
        'maxPriceUsd',
        'host',
        'tag',
        'status',
      ] as const,
      {
        maxLength: 2,
      },
    ),
    sort: fc.constantFrom(...EXPLORE_SORTS.filter((sort) => sort !== 'relevance')),
    text: fc.constantFrom('', '', 'weather'),
    limit: fc.constantFrom(4, 9, 50),
  })
  .map(({ filters: all, used, ...rest }) => ({
    ...ALL_ENDPOINTS,
    ...Object.fromEntries(used.map((name) => [name, all[name]])),
    ...rest,
  }));

describe.each(LIMITS)('the explore page with limits of $matches matches and $rows rows', (limits) => {
  beforeEach(() => setExploreLimits(database, limits));

  it('has the endpoints of a plain filter in a plain order, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (some) => {
        const ids = expectIds(some);
        expect(await readAllPages(store, some)).toEqual({ ids, total: ids.length });
      }),
      { numRuns: 15 },
    );
  });

  it('has each match of a text once in the order of relevance, also with filters', async () => {
    for (const used of [{}, { status: 'listed' as const, tag: 'ai' }]) {
      const some = { ...ALL_ENDPOINTS, ...used, text: 'weather', sort: 'relevance' as const, limit: 4 };
      const { ids, total } = await readAllPages(store, some);
      expect(ids.toSorted()).toEqual(expectIds(some).toSorted());
      expect(total).toBe(ids.length);
    }
  });

  it('has the endpoint of a URL first', async () => {
    for (const { endpointId, resource } of snapshots.slice(0, 3)) {
      const found = await store.explore({ ...ALL_ENDPOINTS, text: resource, sort: 'relevance', limit: 1 });
      expect(found.snapshots[0]?.endpointId).toBe(endpointId);
    }
  });
});

describe('the explore page', () => {
  it.each(EXPLORE_SORTS)('has each public endpoint once in the order %s', async (sort) => {
    const all = { ...ALL_ENDPOINTS, sort, limit: 7 };
    const ids = expectIds(all);
    expect(ids.length).toBeGreaterThan(20);
    expect(await readAllPages(store, all)).toEqual({ ids, total: ids.length });
  });

  beforeAll(() => setExploreLimits(database, { matches: 2_000, rows: 2_000 }));

  it('has no results for a text without letters and digits', async () => {
    for (const text of [' ', '%', "'", '\0', '&|!:*()']) {
      const none = await store.explore({ ...ALL_ENDPOINTS, text });
      expect([text, none]).toEqual([
        text,
        { counts: null, snapshots: [], next: null, total: 0, isTotalMinimum: false },
      ]);
    }
  });

  it('takes every value as data', async () => {
    const injections = [
      `x') or true --`,
      `'; drop table public.snapshots; --`,
      '{}',
      '%',
      '$1',
      '"',
      '\\',
      '\0',
    ];
    for (const injection of injections) {
      for (const filter of [{ host: injection }, { tag: injection }, { networks: [injection] }]) {
        expect(await store.explore({ ...ALL_ENDPOINTS, ...filter })).toMatchObject({
          snapshots: [],
          total: 0,
        });
      }
    }
    const db = connect({ url: database.url, key: database.keys.publishable });
    const { data } = await db.rpc('explore', {
      p_text: '',
      p_filters: {},
      p_sort: 'by_score; drop table public.snapshots; --',
      p_limit: 1_000_000,
    });
    expect(data).toMatchObject({ total: snapshots.length });
    expect((await store.explore(ALL_ENDPOINTS)).total).toBe(snapshots.length);
  });

  it('counts the endpoints of each choice as a query with this choice would', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom('', 'weather'), async (chosen, text) => {
        const query = { ...ALL_ENDPOINTS, ...chosen, text };
        const { counts } = await store.explore({ ...query, hasCounts: true, limit: 1 });
        const countMatches = async (change: Partial<ExploreQuery>) =>
          (await store.explore({ ...query, ...change, limit: 1 })).total;
        for (const grade of GRADES)
          expect(counts?.grades[grade] ?? 0).toBe(await countMatches({ grades: [grade] }));
        for (const recommendation of RECOMMENDATIONS) {
          const expected = await countMatches({ recommendations: [recommendation] });
          expect(counts?.recommendations[recommendation] ?? 0).toBe(expected);
        }
        for (const status of EXPLORE_LISTINGS)
          expect(counts?.listings[status] ?? 0).toBe(await countMatches({ status }));
        for (const property of EXPLORE_PROPERTIES) {
          const properties = [...new Set([...query.properties, property])];
          expect(counts?.properties[property] ?? 0).toBe(await countMatches({ properties }));
        }
        for (const network of NETWORKS)
          expect(counts?.networks[network] ?? 0).toBe(await countMatches({ networks: [network] }));
        for (const tag of TAGS) expect(counts?.tags[tag] ?? 0).toBe(await countMatches({ tag }));
      }),
      {
        numRuns: 8,
        seed: 5,
        examples: [
          [NO_FILTERS, ''],
          [LISTED, ''],
          [{ ...LISTED, grades: ['A', 'B'] }, ''],
        ],
      },
    );
  });

  it('lists choices without numbers if too many endpoints would have to be counted', async () => {
    await setExploreLimits(database, { matches: 2, rows: 3, counted: 1 });
    const count = async (change: Partial<ExploreQuery>) =>
      (await store.explore({ ...ALL_ENDPOINTS, ...LISTED, hasCounts: true, limit: 1, ...change })).counts;
    for (const change of [{ maxPriceUsd: '99' }, { text: 'weather' }]) {
      const counts = await count(change);
      for (const values of [counts?.grades, counts?.listings, counts?.networks, counts?.tags])
        expect(new Set(Object.values(values ?? {}))).toEqual(new Set([null]));
    }
    const properties = ['reachable'] as const;
    const reachable = await count({ properties });
    const expected = expectIds({ ...ALL_ENDPOINTS, ...LISTED, properties }).length;
    expect([reachable?.listings.listed, reachable?.tags['ai']]).toEqual([expected, null]);
    expect((await count({}))?.tags['ai']).toBeGreaterThan(5);
    await setExploreLimits(database, { matches: 2_000, rows: 2_000 });
  });

  it('has as many endpoints for each filter as the statistics count', async () => {
    await refreshEcosystem(database.db);
    const figures = await store.readEcosystem();
    const count = async (change: Partial<ExploreQuery>) =>
      (await store.explore({ ...ALL_ENDPOINTS, ...LISTED, ...change, limit: 1 })).total;
    expect(figures.listed).toBeGreaterThan(5);
    expect(figures.listed).toBe(await count({}));
    expect(figures.delisted).toBe(await count({ status: 'delisted' }));
    expect(figures.reachable).toBe(await count({ properties: ['reachable'] }));
    expect(figures.compliant).toBe(await count({ properties: ['compliant'] }));
    for (const grade of GRADES) expect(figures.grades[grade]).toBe(await count({ grades: [grade] }));
    for (const recommendation of RECOMMENDATIONS)
      expect(figures.recommendations[recommendation]).toBe(
        await count({ recommendations: [recommendation] }),
      );
  });

  it('refuses the cursor of another order', async () => {
    const { next } = await store.explore({ ...ALL_ENDPOINTS, limit: 1 });
    const query = { ...ALL_ENDPOINTS, after: next, sort: 'price' } as const;
    await expect(store.explore(query)).rejects.toThrow(InvalidCursorError);
  });
});
