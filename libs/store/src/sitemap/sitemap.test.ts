import { HOUR_MS } from '@touchstone/common';
import { GRADES } from '@touchstone/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimScores, isIndexable, isProviderIndexable, saveSnapshots, type SnapshotRow } from '../index.ts';
import { readPageNames } from './sitemap.ts';
import { LISTING_SOURCES } from '../snapshots/snapshot.ts';
import { ALL_ENDPOINTS } from '../testing/explore.ts';
import { T0, toIso, makeEndpoint, makeId, makeSnapshotRow, useTestDatabase } from '../testing/fixtures.ts';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.from('endpoints').delete().neq('id', '');
});

type Change = Partial<SnapshotRow['snapshot']> & Partial<Pick<SnapshotRow, 'public' | 'contentHash'>>;

/** Stores one snapshot for each entry at a time. */
async function store(changes: Readonly<Record<string, Change>>, at = T0 + HOUR_MS): Promise<void> {
  await database.discoverPartly('sitemap', T0, Object.keys(changes));
  const rows = Object.entries(changes).map(([id, { public: isPublic = true, contentHash, ...snapshot }]) =>
    makeSnapshotRow(id, 50, { public: isPublic, snapshot, ...(contentHash ? { contentHash } : {}) }),
  );
  await saveSnapshots(database.db, at, rows);
}

const open = () => database.openStore();
const removeEndpoint = (id: string) =>
  database.db
    .from('endpoints')
    .update({ removed_at: toIso(T0 + HOUR_MS) })
    .eq('id', id);

describe('the sitemap', () => {
  it('has one shard for each first character of the ids, with the endpoints ordered by id', async () => {
    await store({ bbbbbbbbbb: {}, abbbbbbbbb: {}, a222222222: {}, '7zzzzzzzzz': {} });
    const lastModified = toIso(T0 + HOUR_MS);
    const shards = await open().readSitemapShards();
    expect(shards).toEqual(['7', 'a', 'b'].map((shard) => ({ shard, lastModified })));
    expect(await open().readSitemapEndpoints('a')).toEqual([
      { slug: 'k-a222222222', lastModified },
      { slug: 'k-abbbbbbbbb', lastModified },
    ]);
    expect(await open().readSitemapEndpoints('c')).toEqual([]);
    expect(await open().readSitemapEndpoints('7')).toHaveLength(1);
  });

  it.each(['', 'A', '1', 'ab', '%', "a' or true --"])(
    'has no endpoints in the unknown shard %j',
    async (shard) => {
      await store({ abbbbbbbbb: {} });
      expect(await open().readSitemapEndpoints(shard)).toEqual([]);
    },
  );

  it('states the time of a change of the content, not the time of a score', async () => {
    await store({ aaaaaaaaaa: {}, abbbbbbbbb: {} });
    await store({ aaaaaaaaaa: { lastProbedAt: toIso(T0 + 2 * HOUR_MS) } }, T0 + 2 * HOUR_MS);
    expect((await open().readSitemapShards())[0]?.lastModified).toBe(toIso(T0 + HOUR_MS));
    await store({ aaaaaaaaaa: { contentHash: 'changed' } }, T0 + 3 * HOUR_MS);
    expect(await open().readSitemapShards()).toEqual([{ shard: 'a', lastModified: toIso(T0 + 3 * HOUR_MS) }]);
    expect((await open().readSitemapEndpoints('a')).map((entry) => entry.lastModified)).toEqual([
      toIso(T0 + 3 * HOUR_MS),
      toIso(T0 + HOUR_MS),
    ]);
  });

  it('ignores endpoints that are not in the sitemap for the time of a shard', async () => {
    await store({ aaaaaaaaaa: {}, abbbbbbbbb: {}, accccccccc: { templated: true } });
    const delisted = { listingStatus: 'delisted', contentHash: 'delisted' } as const;
    await store(
      { aaaaaaaaaa: delisted, accccccccc: { templated: true, contentHash: 'new' } },
      T0 + 2 * HOUR_MS,
    );
    expect(await open().readSitemapShards()).toEqual([{ shard: 'a', lastModified: toIso(T0 + HOUR_MS) }]);
    await store({ abbbbbbbbb: delisted }, T0 + 3 * HOUR_MS);
    expect(await open().readSitemapShards()).toEqual([]);
  });

  it('lists each host with two endpoints in the sitemap, with its newest change', async () => {
    await store({
      aaaaaaaaaa: { host: 'one.example' },
      abbbbbbbbb: { host: 'one.example' },
      bbbbbbbbbb: { host: 'one.example', grade: '?' },
      cccccccccc: { host: 'two.example' },
      cddddddddd: { host: 'two.example', grade: '?' },
      dddddddddd: { host: 'three.example' },
      deeeeeeeee: { host: 'three.example', public: false },
    });
    await store({ bbbbbbbbbb: { host: 'one.example', grade: '?', contentHash: 'new' } }, T0 + 2 * HOUR_MS);
    expect(await open().readSitemapProviders()).toEqual([
      { host: 'one.example', lastModified: toIso(T0 + 2 * HOUR_MS) },
    ]);
  });

  it('lists exactly the endpoints that the rule for pages allows', async () => {
    const change = fc.record({
      grade: fc.constantFrom(...GRADES),
      templated: fc.boolean(),
      listingStatus: fc.constantFrom('listed', 'delisted'),
      listingSource: fc.constantFrom(...LISTING_SOURCES),
      public: fc.boolean(),
    });
    const combinations = fc.sample(change, { numRuns: 200, seed: 18 });
    const ids = combinations.map((_, index) => `a${makeId(index).slice(1)}`);
    const toHost = (index: number) => `host-${index % 20}.example`;
    const changes = Object.fromEntries(
      combinations.map((combination, index) => [ids[index] ?? '', { ...combination, host: toHost(index) }]),
    );
    await store(changes);
    const expected = ids.filter((id) => changes[id]?.public === true && isIndexable(changes[id]));
    expect(expected.length).toBeGreaterThan(10);
    const listed = await open().readSitemapEndpoints('a');
    expect(listed.map(({ slug }) => slug)).toEqual(expected.map((id) => `k-${id}`).sort());
    const hosts = (await open().readSitemapProviders()).map(({ host }) => host);
    const counts = new Map<string, number>();
    for (const id of expected) {
      const host = changes[id]?.host ?? '';
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    const indexable = [...counts].filter(([, count]) => isProviderIndexable({ indexable: count }));
    expect(hosts).toEqual(indexable.map(([host]) => host).sort());
    expect(hosts.length).toBeGreaterThan(0);
    expect(hosts.length).toBeLessThan(counts.size);
  });
});

describe('the page of an endpoint', () => {
  it('has the slug of the public snapshot', async () => {
    await store({ aaaaaaaaaa: {}, bbbbbbbbbb: { public: false } });
    expect(await open().findPageTarget('aaaaaaaaaa')).toEqual({ slug: 'k-aaaaaaaaaa', optedOutAt: null });
    expect(await open().findPageTarget('bbbbbbbbbb')).toBeNull();
    expect(await open().findPageTarget('cccccccccc')).toBeNull();
  });

  it('is removed at once after a removal on request, and again available after its next score', async () => {
    await store({ aaaaaaaaaa: {}, abbbbbbbbb: {} });
    await removeEndpoint('aaaaaaaaaa');
    expect(await open().findPageTarget('aaaaaaaaaa')).toBe('removed');
    expect(await open().readSnapshot('aaaaaaaaaa')).toBeNull();
    expect((await open().readSitemapEndpoints('a')).map(({ slug }) => slug)).toEqual(['k-abbbbbbbbb']);
    expect((await open().explore({ ...ALL_ENDPOINTS, text: 'aaaaaaaaaa' })).snapshots).toEqual([]);
    await database.db.from('endpoints').update({ removed_at: null }).eq('id', 'aaaaaaaaaa');
    expect(await open().findPageTarget('aaaaaaaaaa')).toBeNull();
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [makeSnapshotRow('aaaaaaaaaa', 50)]);
    expect(await open().findPageTarget('aaaaaaaaaa')).toEqual({ slug: 'k-aaaaaaaaaa', optedOutAt: null });
  });

  it('is scored again after a removal, also if a score was being computed at that time', async () => {
    await store({ aaaaaaaaaa: {} });
    const staleRow = makeSnapshotRow('aaaaaaaaaa', 50);
    await removeEndpoint('aaaaaaaaaa');
    expect(await saveSnapshots(database.db, T0 + HOUR_MS, [staleRow])).toEqual(['aaaaaaaaaa']);
    expect(await open().readSnapshot('aaaaaaaaaa')).toBeNull();
    expect((await open().suggest('aaaaaaaaaa')).hosts).toEqual([]);
    const { data: words } = await database.db.from('search_documents').select('endpoint_id');
    expect(words).toEqual([]);
    const claim = await claimScores(database.db, { now: T0 + 2 * HOUR_MS, leaseSeconds: 60, limit: 1_000 });
    expect(claim.endpointIds).toEqual(['aaaaaaaaaa']);

    // The score after the removal is reported as a change, so the pages are refreshed. Then the queue is empty.
    const hiddenRow = makeSnapshotRow('aaaaaaaaaa', 50, { public: false });
    const save = () => saveSnapshots(database.db, T0 + 3 * HOUR_MS, [hiddenRow]);
    expect(await save()).toEqual(['aaaaaaaaaa']);
    expect(await save()).toEqual([]);
    const next = await claimScores(database.db, { now: T0 + 4 * HOUR_MS, leaseSeconds: 60, limit: 1_000 });
    expect(next.endpointIds).toEqual([]);
  });
});

describe('the names of pages', () => {
  const PUBLIC = ['2222222222', 'aaaaaaaaaa', 'abbbbbbbbb', 'zzzzzzzzzz'];
  beforeEach(() =>
    store({ ...Object.fromEntries(PUBLIC.map((id) => [id, {}])), hidden2222: { public: false } }),
  );

  it('lists the ids of public endpoints in several ranges', async () => {
    const first = await readPageNames(database.db, { kind: 'endpoint', after: '', limit: 3 });
    const second = await readPageNames(database.db, {
      kind: 'endpoint',
      after: first.at(-1) ?? '',
      limit: 3,
    });
    expect(first).toHaveLength(3);
    expect([...first, ...second].toSorted()).toEqual(PUBLIC);
    expect(await readPageNames(database.db, { kind: 'endpoint', after: 'zzzzzzzzzz', limit: 3 })).toEqual([]);
  });

  it('lists the hosts of public endpoints', async () => {
    const hosts = await readPageNames(database.db, { kind: 'host', after: '', limit: 10 });
    expect(hosts).toContain(makeEndpoint('aaaaaaaaaa').host);
    expect(hosts).not.toContain(makeEndpoint('hidden2222').host);
  });
});
