import { HOUR_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  deleteUnusedTexts,
  markRefused,
  readAlternatives,
  readPendingTexts,
  saveEmbeddings,
  saveSnapshots,
  searchByEmbedding,
  countAlternatives,
} from '../index.ts';
import { useTestDatabase, T0, makeId } from '../testing/fixtures.ts';
import {
  makeVector,
  MODEL,
  storeEndpoints,
  toRow,
  addEndpoints,
  changeFunction,
  SCANS,
  selectScan,
  type SearchableEndpoint,
} from '../testing/search.ts';

const database = useTestDatabase();

const [one, other, third] = [makeId(1), makeId(2), makeId(3)];
const listPending = async (model = MODEL, limit = 10) =>
  (await readPendingTexts(database.db, { model, limit, now: T0 })).map(({ textHash }) => textHash);
const save = (textHash: string, embedding: readonly number[], model = MODEL) =>
  saveEmbeddings(database.db, { model, embeddings: [{ textHash, embedding, job: null }] });

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
      { textHash: 'hash of shared', embedding: makeVector([1]), job: null },
      { textHash: 'hash of hidden', embedding: vector, job: null },
    ];
    await expect(saveEmbeddings(database.db, { model: MODEL, embeddings })).rejects.toThrow(
      'save_embeddings',
    );
    expect(await listPending()).toEqual(['hash of shared']);
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

  it('is accepted after it was embedded', async () => {
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
    (await readAlternatives(database.db, { model: MODEL, limit: 1, endpointId: one, minScoreDelta: 5 }))
      .isComplete,
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
});

describe('words that no endpoint contains', () => {
  it('are deleted at once, also without a vacuum', async () => {
    await storeEndpoints(database, [
      { id: one, snapshot: { serviceName: "kept's running" } },
      { id: other, snapshot: { serviceName: 'gone' } },
    ]);
    const { driver } = database.connection;
    // The words of documents are in the index, but the statistics of the tables still describe an empty database.
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
    // The deletion must be fast, because the client times out after ten seconds.
    expect(await deleteUnusedTexts(database.db, { limit: 5000 })).toBe(0);
    const { data } = await database.db
      .from('search_words')
      .select('word')
      .in('word', ['kept', 'running', 'new', 'gone', 'word9', 'word10', 'word20000'])
      .order('word');
    expect(data?.map(({ word }) => word)).toEqual(['kept', 'new', 'running', 'word9']);
  });
});

const HOURS = 24;
const NOW = T0 + 2 * HOUR_MS;
const low = { id: makeId(1), score: 40, vector: [10] } satisfies SearchableEndpoint;
const best = { id: makeId(2), score: 90, vector: [10, 1] } satisfies SearchableEndpoint;
const unrelated = { id: makeId(3), score: 99, vector: [10], job: 'other' } satisfies SearchableEndpoint;
const pending = { id: makeId(0), score: 20, vector: null } satisfies SearchableEndpoint;

const count = (now = NOW, limit = 100) =>
  countAlternatives(database.db, { now, model: MODEL, maxAgeSeconds: HOURS * 3600, limit });
const readSnapshot = (id: string) => database.openStore().readSnapshot(id);

describe('the number of better alternatives', () => {
  beforeEach(() => storeEndpoints(database, [pending, low, best, unrelated]));

  it('is null until it is counted, and then stored with the time of the change', async () => {
    expect((await readSnapshot(low.id))?.betterAlternatives).toBeNull();
    expect(await count()).toEqual({ counted: 3, changed: [low.id, best.id, unrelated.id] });
    expect(await readSnapshot(low.id)).toMatchObject({
      betterAlternatives: 1,
      contentChangedAt: new Date(NOW).toISOString(),
    });
    expect((await readSnapshot(best.id))?.betterAlternatives).toBe(0);
    expect((await readSnapshot(pending.id))?.betterAlternatives).toBeNull();
  });

  it('is counted once a day, and names only changed endpoints', async () => {
    await count();
    expect(await count(NOW + HOURS * HOUR_MS - 1)).toEqual({ counted: 0, changed: [] });
    await addEndpoints(database, [{ id: makeId(4), score: 60, vector: [10] }], T0 + HOUR_MS);
    expect((await count(NOW + HOUR_MS)).changed).toEqual([makeId(4)]);
    const later = NOW + HOURS * HOUR_MS;
    expect(await count(later)).toEqual({ counted: 3, changed: [low.id] });
    expect(await readSnapshot(low.id)).toMatchObject({
      betterAlternatives: 2,
      contentChangedAt: new Date(later).toISOString(),
    });
    expect((await readSnapshot(best.id))?.contentChangedAt).toBe(new Date(NOW).toISOString());
  });

  it.each([
    ['the score moved by a point', { ...low, score: 41 }, 1, 1],
    ['the score moved by less', { ...low, score: 40.9 }, 1, 0],
    ['the recommendation changed', { ...low, snapshot: { recommendation: 'avoid' as const } }, 1, 1],
    ['the text changed', { ...low, text: best.id }, null, 1],
  ])(
    'is counted again when %s, and kept until then for the same text',
    async (...[, changed, kept, counted]) => {
      await count();
      await saveSnapshots(database.db, NOW + HOUR_MS, [toRow(changed)]);
      expect((await readSnapshot(low.id))?.betterAlternatives).toBe(kept);
      expect((await count(NOW + 2 * HOUR_MS)).counted).toBe(counted);
    },
  );

  it('is counted for the longest uncounted endpoints first, and never blocked by pending texts', async () => {
    expect((await count(NOW, 1)).changed).toEqual([low.id]);
    expect((await count(NOW + 1, 1)).changed).toEqual([best.id]);
    expect((await count(NOW + 2, 1)).changed).toEqual([unrelated.id]);
    expect((await count(NOW + 3, 1)).counted).toBe(0);
  });

  it('is stored for the endpoints that were counted in about two seconds', async () => {
    const limit = { "interval '2 seconds'": "interval '0 seconds'" };
    const undo = await changeFunction(database, 'public.count_alternatives', limit);
    expect(await count()).toEqual({ counted: 1, changed: [low.id] });
    await undo();
    expect((await count()).changed).toEqual([best.id, unrelated.id]);
  });

  it.each(SCANS)('is at most 10 (%s)', async (scan) => {
    await selectScan(database, scan);
    const many = Array.from({ length: 14 }, (_, i) => ({ id: makeId(10 + i), score: 90, vector: [10, i] }));
    await addEndpoints(database, many);
    await count();
    expect((await readSnapshot(low.id))?.betterAlternatives).toBe(10);
  });
});
