import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  deleteUnusedTexts,
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
  (await readPendingTexts(database.db, { model, limit })).map(({ textHash }) => textHash);
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
    expect(await readPendingTexts(database.db, { model: MODEL, limit: 10 })).toEqual([
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
    expect(await deleteUnusedTexts(database.db)).toBe(0);
    await saveSnapshots(database.db, T0 + 2 * HOUR_MS, [toRow({ id: other, text: 'new' })]);
    expect(await deleteUnusedTexts(database.db)).toBe(1);
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
    expect((await searchByEmbedding(database.db, query)).map((match) => match.score)).toEqual([61, 50]);
  });

  it('and the searches are not accessible with the publishable key', async () => {
    const db = connect({ url: database.url, key: database.keys.publishable });
    for (const table of ['search_texts', 'search_documents', 'search_words'] as const) {
      expect((await db.from(table).select('*')).data ?? []).toEqual([]);
    }
    const query = { model: MODEL, embedding: makeVector([1]), limit: 5 };
    const subject = { endpointId: one, host: 'host.example', minScoreDelta: 5 };
    for (const attempt of [
      searchByEmbedding(db, query),
      readAlternatives(db, { ...query, ...subject }),
      readPendingTexts(db, query),
      saveEmbeddings(db, { model: MODEL, embeddings: [] }),
      deleteUnusedTexts(db),
    ]) {
      await expect(attempt).rejects.toThrow('permission denied');
    }
  });
});
