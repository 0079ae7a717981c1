import { HOUR_MS } from '@touchstone/common';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  countAlternatives,
  readSampleRanks,
  refreshEcosystem,
  saveEmbeddings,
  saveSnapshots,
  searchByEmbedding,
  type PublicStore,
  type SnapshotRow,
} from '../index.ts';
import { ALL_ENDPOINTS } from '../testing/explore.ts';
import { makeEndpoint, makeId, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { makeVector, MODEL, toRow } from '../testing/search.ts';

const HOST = 'skies.example';
const toUrl = (path: string): string => `https://${HOST}${path}`;
/** Endpoints that a directory lists. The last is listed no longer. */
const LISTED = [`http://${HOST}/v2/forecast`, ...['/v1/{city}/now', '/v1/tides'].map(toUrl)];
/** Endpoints that paid reports added, with their confidence. Only the last two belong to the public lists. */
const ADOPTED = [
  ['/v2/forecast?a=1&b=2', 0.9],
  ['/v2/forecast/', 0.9],
  ['/V2//forecast/%20', 0.9],
  ['/v2/forecast;a=1', 0.9],
  ['/v2/forecast%3Fa=1', 0.9],
  ['/v1/berlin/now', 0.9],
  ['/v1/berlin/now?unit=c', 0.9],
  ['/v3/forecast', 0.29],
  ['/v1/berlin/now/hourly', 0.3],
  ['/v1/tides?port=kiel', 0.3],
] as const;
const RESOURCES = [...LISTED, ...ADOPTED.map(([path]) => toUrl(path))];
const SHOWN = new Set([...LISTED, ...RESOURCES.slice(-2)]);
const toId = (resource: string): string => makeId(RESOURCES.indexOf(resource) + 1);
const toResource = (id: string): string => RESOURCES[RESOURCES.map(toId).indexOf(id)] ?? '';

const database = useTestDatabase();
let store: PublicStore;

/** Returns the snapshot of an endpoint. The endpoints have different texts with the same vector. */
function makeRow(resource: string, alerts: readonly object[]): SnapshotRow {
  const confidence = ADOPTED.find(([path]) => toUrl(path) === resource)?.[1];
  const row = toRow({
    id: toId(resource),
    score: 90,
    snapshot: {
      resource,
      host: HOST,
      templated: resource.includes('{'),
      listingStatus: resource === LISTED[2] ? 'delisted' : 'listed',
      lastProbedAt: toIso(T0),
      ...(confidence === undefined ? {} : { confidence, listingSource: 'adopted' }),
    },
  });
  return { ...row, detail: { ...row.detail, facts: { alerts } } };
}

beforeAll(async () => {
  store = database.openStore();
  const { db } = database;
  const list = (directory: string, resources: readonly string[]) =>
    database.discover(
      directory,
      T0,
      resources.map((resource) =>
        makeEndpoint(toId(resource), { resource, host: HOST, templated: resource.includes('{') }),
      ),
    );
  await list('skies', LISTED);
  const end = { listing_status: 'delisted', delisted_at: toIso(T0) };
  await db.from('listings').update({ delisted_at: end.delisted_at }).eq('endpoint_id', makeId(3));
  await db.from('endpoints').update(end).eq('id', makeId(3));
  const adopted = RESOURCES.slice(LISTED.length).map((resource) => ({
    ...{ id: toId(resource), resource, probe_url: resource, host: HOST, slug: toId(resource) },
    ...{ templated: false, first_seen_at: toIso(T0), adopted_at: toIso(T0) },
  }));
  await db.from('endpoints').insert(adopted).throwOnError();
  await list('elsewhere', []);
  const save = (at: number, alerts: readonly object[]) =>
    saveSnapshots(
      db,
      at,
      RESOURCES.map((resource) => makeRow(resource, alerts)),
    );
  await save(T0, []);
  await save(T0 + HOUR_MS, [{ kind: 'outage', since: null }]);
  const embeddings = RESOURCES.map((resource) => ({
    textHash: `hash of ${toId(resource)}`,
    embedding: makeVector([1]),
    job: 'job',
  }));
  await saveEmbeddings(db, { model: MODEL, embeddings });
  await refreshEcosystem(db);
});

const listResources = (found: readonly { readonly endpointId: string }[]): readonly string[] =>
  found.map(({ endpointId }) => toResource(endpointId)).toSorted();
const explore = async (change: Partial<typeof ALL_ENDPOINTS>) =>
  listResources((await store.explore({ ...ALL_ENDPOINTS, ...change })).snapshots);
const query = { model: MODEL, embedding: makeVector([1]), limit: 25 };
/** Returns the alternatives to an endpoint of another host with the same vector and job. */
async function readAlternatives(): Promise<readonly string[]> {
  const { rows } = await database.connection.driver.query<{ endpointId: string }>(`
    select endpoint_id as "endpointId" from internal.find_neighbors(
      '${MODEL}', (select embedding from public.search_texts limit 1), 'job', 'other.example', 5, 25
    )`);
  return listResources(rows);
}

const isDelisted = (resource: string): boolean => resource === LISTED[2];
const BY_DIRECTORY = LISTED.filter((resource) => !isDelisted(resource)).toSorted();
const FOUND = [...SHOWN].toSorted();
const FOUND_LISTED = FOUND.filter((resource) => !isDelisted(resource));

describe('adopted endpoints', () => {
  it.each<[surface: string, read: () => Promise<unknown>, expected: unknown]>([
    [
      'search',
      async () => listResources((await searchByEmbedding(database.db, query)).matches),
      FOUND_LISTED,
    ],
    ['alternatives', readAlternatives, FOUND_LISTED],
    ['explore', () => explore({}), FOUND],
    ['provider page', () => explore({ host: HOST }), FOUND],
    ['figures of the provider', async () => (await store.readProvider(HOST))?.endpoints, FOUND.length],
    ['words', () => explore({ text: 'skies', sort: 'relevance' }), FOUND],
    [
      'URL',
      async () => (await explore({ text: toUrl('/v3/forecast') })).includes(toUrl('/v3/forecast')),
      false,
    ],
    [
      'suggestions',
      async () => (await store.suggest('skies.exam')).hosts,
      [{ host: HOST, endpoints: FOUND.length }],
    ],
    ['events', async () => (await readEvents()).map(({ endpoints }) => endpoints), [FOUND.length]],
    ['leaderboard', async () => listResources(await store.readLeaderboard(25)), BY_DIRECTORY],
    ['preview', async () => (await readSampleRanks(database.db)).population, BY_DIRECTORY.length],
    [
      'sitemap',
      async () => (await store.readSitemapEndpoints('e')).map(({ slug }) => slug),
      [`k-${makeId(1)}`],
    ],
    ['sitemap of providers', () => store.readSitemapProviders(), []],
    [
      'statistics',
      () => store.readEcosystem(),
      expect.objectContaining({
        ...{ endpoints: RESOURCES.length, listed: 2, delisted: 1, adopted: ADOPTED.length },
        ...{ reachable: 2, compliant: 2 },
        grades: { A: 2, B: 0, C: 0, D: 0, F: 0, '?': 0 },
        recommendations: { proceed: 2, caution: 0, parameterize: 0, avoid: 0, unverified: 0, free: 0 },
      }),
    ],
    [
      'page by URL',
      async () => (await Promise.all(RESOURCES.map(toId).map(store.readSnapshot))).filter(Boolean).length,
      RESOURCES.length,
    ],
  ])('%s', async (...[, read, expected]) => {
    expect(await read()).toEqual(expected);
  });

  it('are not counted as better alternatives', async () => {
    await saveSnapshots(database.db, T0 + HOUR_MS, [
      toRow({ id: makeId(1), score: 10, snapshot: { host: 'other.example' } }),
    ]);
    const now = T0 + 2 * HOUR_MS;
    await countAlternatives(database.db, { now, model: MODEL, maxAgeSeconds: 3600, limit: 100 });
    expect((await store.readSnapshot(makeId(1)))?.betterAlternatives).toBe(FOUND_LISTED.length - 1);
  });
});

const readEvents = async () =>
  (await store.readEcosystemEvents({ kinds: [], before: null, limit: 100 })).events;
