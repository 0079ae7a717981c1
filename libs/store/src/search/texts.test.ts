import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  deleteUnusedTexts,
  markRefused,
  readAlternatives,
  readPendingTexts,
  saveEmbeddings,
  saveSnapshots,
  searchByEmbedding,
} from '../index.ts';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { makeId, makeVector, MODEL, storeEndpoints, toRow } from '../testing/search.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const [one, other, third] = [makeId(1), makeId(2), makeId(3)];
const listPending = async (model = MODEL, limit = 10) =>
  (await readPendingTexts(database.db, { model, limit, now: T0 })).map(({ textHash }) => textHash);
const save = (textHash: string, embedding: readonly number[], model = MODEL) =>
  saveEmbeddings(database.db, { model, embeddings: [{ textHash, embedding }] });

describe('texts', () => {
  beforeEach(() =>
    storeEndpoints(database, [
      { id: one, text: 'shared', vector: null },
      { id: other, text: 'shared', vector: null },
      { id: third, text: 'hidden', vector: null, public: false },
    ]),
  );

  it('are pending once for all public endpoints, until they are embedded in the same space', async () => {
    expect(await readPendingTexts(database.db, { model: MODEL, limit: 10, now: T0 })).toEqual([
      { textHash: 'hash of shared', text: 'text of hash of shared' },
    ]);
    await save('hash of shared', makeVector([1]));
    expect(await listPending()).toEqual([]);
    expect(await listPending('new/space')).toEqual(['hash of shared']);
  });

  it('are embedded again after a change of the text alone', async () => {
    await save('hash of shared', makeVector([1]));
    const rescore = (text: string) =>
      saveSnapshots(database.db, T0 + 2 * HOUR_MS, [toRow({ id: one, text, score: 80 })]);
    await rescore('shared');
    expect(await listPending()).toEqual([]);
    await rescore('new');
    expect(await listPending()).toEqual(['hash of new']);
  });

  it('are deleted when no endpoint uses them', async () => {
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [toRow({ id: one, text: 'new' })]);
    expect(await deleteUnusedTexts(database.db, { limit: 10 })).toBe(0);
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [toRow({ id: other, text: 'new' })]);
    expect(await deleteUnusedTexts(database.db, { limit: 10 })).toBe(1);
    expect(await listPending()).toEqual(['hash of new']);
    await save('hash of shared', makeVector([1]));
    expect(await listPending()).toEqual(['hash of new']);
  });

  it.each([
    ['has too few numbers', [1, 2, 3]],
    ['has numbers that are not finite', makeVector([1, Number.NaN])],
    ['has only zeros', makeVector([])],
  ])('are not stored with a vector that %s', async (_, vector) => {
    const embeddings = [
      { textHash: 'hash of shared', embedding: makeVector([1]) },
      { textHash: 'hash of hidden', embedding: vector },
    ];
    await expect(saveEmbeddings(database.db, { model: MODEL, embeddings })).rejects.toThrow(
      'save embeddings',
    );
    expect(await listPending()).toEqual(['hash of shared']);
  });

  it('keep their text when a row of the previous release has none', async () => {
    const { snapshot, detail } = toRow({ id: one });
    await save('hash of shared', makeVector([1]));
    const { data } = await database.db
      .from('snapshots')
      .select()
      .eq('endpoint_id', snapshot.endpointId)
      .single();
    const { error } = await database.db.rpc('save_snapshots', {
      p_now: new Date(T0 + 2 * HOUR_MS).toISOString(),
      p_rows: [
        {
          snapshot: { ...data, text_hash: null, score: 61 },
          detail: { ...detail, inputs: {}, facts: {} },
          revision: 1,
        },
      ],
    });
    expect(error).toBeNull();
    const query = { model: MODEL, embedding: makeVector([1]), limit: 5 };
    const { matches } = await searchByEmbedding(database.db, query);
    expect(matches.map((match) => match.score)).toEqual([61, 50]);
  });

  it('and the searches are not accessible with the publishable key', async () => {
    const db = connect({ url: database.url, key: database.keys.publishable });
    for (const table of ['search_texts', 'search_documents', 'search_words'] as const) {
      expect((await db.from(table).select('*')).data ?? []).toEqual([]);
    }
    const query = { model: MODEL, embedding: makeVector([1]), limit: 5 };
    const subject = { endpointId: one, host: 'host.example', minScoreDelta: 5 };
    for (const attempt of [
      () => searchByEmbedding(db, query),
      () => readAlternatives(db, { ...query, ...subject }),
      () => readPendingTexts(db, { ...query, now: T0 }),
      () => markRefused(db, { textHashes: [], now: T0 }),
      () => saveEmbeddings(db, { model: MODEL, embeddings: [] }),
      () => deleteUnusedTexts(db, { limit: 1 }),
    ]) {
      await expect(attempt()).rejects.toThrow('permission denied');
    }
  });
});

describe('a refused text', () => {
  it('is not pending for 24 hours, but still missing', async () => {
    await storeEndpoints(database, [{ id: one, text: 'refused', vector: null }]);
    await markRefused(database.db, { textHashes: ['hash of refused'], now: T0 });
    const read = async (now: number) =>
      (await readPendingTexts(database.db, { model: MODEL, limit: 9, now })).length;
    expect([await read(T0 + 24 * HOUR_MS - 1), await read(T0 + 24 * HOUR_MS)]).toEqual([0, 1]);
    const query = { model: MODEL, embedding: makeVector([1]), limit: 5 };
    expect((await searchByEmbedding(database.db, query)).isComplete).toBe(false);
  });

  it('is no longer refused when it is embedded', async () => {
    await storeEndpoints(database, [{ id: one, text: 'refused', vector: null }]);
    await markRefused(database.db, { textHashes: ['hash of refused'], now: T0 });
    await save('hash of refused', makeVector([1]));
    expect(await listPending('new/space')).toEqual(['hash of refused']);
  });
});

describe('a search', () => {
  const query = { model: MODEL, embedding: makeVector([1]), limit: 1 };
  const isComplete = async () => [
    (await searchByEmbedding(database.db, query)).isComplete,
    (
      await readAlternatives(database.db, {
        ...query,
        endpointId: one,
        host: 'host.example',
        minScoreDelta: 5,
      })
    ).isComplete,
  ];
  const makeMany = (embedded: number, missing: number) =>
    Array.from({ length: embedded + missing }, (_, i) => ({
      id: makeId(i),
      vector: i < embedded ? [1, i] : null,
    }));

  it.each([
    ['complete without endpoints', 0, 0, true],
    ['incomplete when no text is embedded', 0, 1, false],
    ['complete when 5 % of the texts are not embedded', 38, 2, true],
    ['incomplete when more than 5 % of the texts are not embedded', 56, 3, false],
  ] as const)('is %s', async (...[, embedded, missing, expected]) => {
    await storeEndpoints(database, makeMany(embedded, missing));
    expect(await isComplete()).toEqual([expected, expected]);
  });

  it('is incomplete for another vector space', async () => {
    await storeEndpoints(database, makeMany(1, 0));
    expect((await searchByEmbedding(database.db, { ...query, model: 'new/space' })).isComplete).toBe(false);
  });

  it('is incomplete until the endpoints are scored after the upgrade, and ignores those without a text', async () => {
    await storeEndpoints(database, makeMany(1, 0));
    await database.connection.driver.exec('update public.snapshots set text_hash = null, described = null');
    expect(await isComplete()).toEqual([false, false]);
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [{ ...toRow({ id: makeId(0) }), search: null }]);
    expect(await isComplete()).toEqual([true, true]);
  });
});

describe('words that no endpoint has any more', () => {
  it('are deleted at once, also without a vacuum', async () => {
    await storeEndpoints(database, [
      { id: one, snapshot: { serviceName: "kept's running" } },
      { id: other, snapshot: { serviceName: 'gone' } },
    ]);
    const { driver } = database.connection;
    // The words of documents are in the index, but the statistics of the tables are those of an empty database.
    await driver.exec(`
      insert into public.search_words select 'word' || n from generate_series(1, 20000) n;
      insert into public.endpoints (id, resource, host, slug, templated, first_seen_at)
      select 'x' || translate(lpad(n::text, 9, '0'), '0189', 'abcd'), 'https://x.example/' || n, 'x.example',
        'x' || n, false, '2026-11-01T00:00:00Z'
      from generate_series(1, 2000) n;
      insert into public.search_documents
      select e.id, setweight(to_tsvector('simple', (
        select string_agg('word' || (10 * substr(e.slug, 2)::integer - i), ' ') from generate_series(1, 9) i
      )), 'A')
      from public.endpoints e where e.host = 'x.example'`);
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [
      toRow({ id: other, snapshot: { serviceName: 'new' } }),
    ]);
    // The client gives up after ten seconds.
    expect(await deleteUnusedTexts(database.db, { limit: 5000 })).toBe(0);
    const { data } = await database.db
      .from('search_words')
      .select('word')
      .in('word', ['kept', 'running', 'new', 'gone', 'word9', 'word10', 'word20000'])
      .order('word');
    expect(data?.map(({ word }) => word)).toEqual(['kept', 'new', 'running', 'word9']);
  });
});
