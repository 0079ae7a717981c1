import { HOUR_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_ENDPOINTS } from '../testing/explore.ts';
import { refreshEcosystem } from '../index.ts';
import { makeId, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { storeEndpoints, type SearchableEndpoint } from '../testing/search.ts';

const database = useTestDatabase();
let endpoints: SearchableEndpoint[];
beforeEach(() => {
  endpoints = [];
});

/** Adds `count` endpoints with a tag, in turn on the given hosts. */
function add(
  tag: string,
  hosts: readonly string[],
  { count = 5, ...snapshot }: SearchableEndpoint['snapshot'] & { readonly count?: number } = {},
): void {
  for (let index = 0; index < count; index += 1) {
    const host = `${hosts[index % hosts.length] ?? ''}.example`;
    endpoints.push({ id: makeId(endpoints.length + 1), tags: [tag], snapshot: { host, ...snapshot } });
  }
}

const readCategories = async () => {
  await storeEndpoints(database, endpoints);
  await refreshEcosystem(database.db);
  return database.openStore().readCategories();
};
const readTags = async () => (await readCategories()).map(({ tag }) => tag);

const HOSTS = ['a', 'b', 'c'];

describe('the categories', () => {
  it('have five endpoints in the sitemap, of three hosts', async () => {
    add('maps', HOSTS);
    add('few', HOSTS, { count: 4 });
    add('one provider', ['a', 'b'], { count: 9 });
    add('ungraded', HOSTS, { grade: '?' });
    add('delisted', HOSTS, { listingStatus: 'delisted' });
    add('adopted', HOSTS, { listingSource: 'adopted', confidence: 0.9 });
    add('templates', HOSTS, { templated: true });
    expect(await readTags()).toEqual(['maps']);
  });

  it('have the number of listed endpoints, the largest category first', async () => {
    add('maps', HOSTS);
    add('weather', HOSTS, { count: 6 });
    add('weather', ['f'], { count: 1, listingStatus: 'delisted' });
    expect(await readCategories()).toEqual([
      expect.objectContaining({ tag: 'weather', endpoints: 6 }),
      expect.objectContaining({ tag: 'maps', endpoints: 5 }),
    ]);
  });

  it('have the figures of their listed endpoints', async () => {
    add('weather', HOSTS, { recommendation: 'proceed', amountUsd: '0.5' });
    add('weather', ['d'], { count: 2, recommendation: 'avoid', amountUsd: '0.010000', grade: '?' });
    add('weather', ['e'], { count: 1, recommendation: 'avoid', amountUsd: null });
    add('weather', ['f'], { count: 1, listingStatus: 'delisted', amountUsd: '7' });
    add('free', HOSTS, { amountUsd: null });
    const lastModified = toIso(T0 + HOUR_MS);
    expect(await readCategories()).toEqual([
      {
        ...{
          tag: 'weather',
          endpoints: 8,
          hosts: 5,
          proceed: 5,
          lowestPriceUsd: '0.01',
          highestPriceUsd: '0.5',
        },
        lastModified,
      },
      {
        ...{ tag: 'free', endpoints: 5, hosts: 3, proceed: 5, lowestPriceUsd: null, highestPriceUsd: null },
        lastModified,
      },
    ]);
    const listed = await database
      .openStore()
      .explore({ ...ALL_ENDPOINTS, tag: 'weather', status: 'listed', limit: 5 });
    expect(listed.total).toBe(8);
  });

  it('have tags of words with ASCII letters and digits that are not tags of every endpoint', async () => {
    const left = ['', 'ai/ml', '../x', '<b>', 'météo', 'a--b', 'a  b', '-a', 'x402', 'api'];
    for (const tag of ['machine learning', 'gpt-4', ...left]) add(tag, HOSTS);
    expect(await readTags()).toEqual(['gpt-4', 'machine learning']);
  });

  it('have one page for tags that differ only in spaces and hyphens', async () => {
    add('machine-learning', HOSTS, { count: 6 });
    add('machine learning', HOSTS);
    expect(await readTags()).toEqual(['machine-learning']);
  });
});

describe('snapshots by ids', () => {
  it('are public, in any order', async () => {
    add('maps', HOSTS, { count: 3 });
    await storeEndpoints(
      database,
      endpoints.map((endpoint, index) => ({ ...endpoint, public: index > 0 })),
    );
    const ids = [...endpoints.map(({ id }) => id), 'unknown222'];
    const found = await database.openStore().readSnapshots(ids);
    expect(found.map(({ endpointId }) => endpointId).toSorted()).toEqual(ids.slice(1, 3).toSorted());
    expect(await database.openStore().readSnapshots([])).toEqual([]);
  });
});
