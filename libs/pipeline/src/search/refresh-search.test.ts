import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { HOUR_MS } from '@touchstone/common';
import { EMBEDDING_MODEL, MAX_TEXTS_PER_CALL } from '@touchstone/search';
import { connect, type Db } from '@touchstone/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeEndpoint, storeEndpoints, type EndpointChange } from '../testing/store-endpoint.ts';
import { createTopicEmbedder, type TopicEmbedder } from '../testing/topics.ts';
import { toEndpointIds } from '../testing/world.ts';
import { findAlternatives } from './find-alternatives.ts';
import { refreshInBatches, refreshSearch } from './refresh-search.ts';
import type { SearchJobContext } from './search-context.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
let db: Db;
let embedder: TopicEmbedder;
let createWord: (similarity: number) => string;
let now: number;
/** Names of the called database functions. */
let functions: string[];
/** Ids in each call of `onChanged`. */
let changedIds: (readonly string[])[];

beforeEach(async () => {
  database = await startMigrated({ keys });
  functions = [];
  changedIds = [];
  db = connect({ url: database.url, key: keys.secret, fetch: createCountingFetch(functions) });
  embedder = createTopicEmbedder();
  createWord = embedder.createTopic();
  now = Date.UTC(2026, 10, 1);
});
afterEach(() => database.close());

const toUrl = (name: string): string => `https://${name}.example.com/`;

function store(name: string, change: Partial<EndpointChange> = {}): Promise<string> {
  now += 1000;
  return storeEndpoint(db, now, { resource: toUrl(name), ...change });
}

async function storeMany(count: number, create: (index: number) => Partial<EndpointChange>): Promise<void> {
  now += 1000;
  const changes = Array.from({ length: count }, (_, index) => ({
    resource: toUrl(`many${index}`),
    ...create(index),
  }));
  await storeEndpoints(db, now, changes);
}

function refresh(change: Partial<SearchJobContext> = {}) {
  return refreshSearch({
    db,
    embedder,
    now: () => now,
    onChanged: (tags) => {
      changedIds.push(toEndpointIds(tags));
      return Promise.resolve();
    },
    ...change,
  });
}

async function readCount(id: string): Promise<number | null | undefined> {
  const { data } = await db.from('snapshots').select('better_alternatives').eq('endpoint_id', id).single();
  return data?.better_alternatives;
}

/** Returns the texts that were embedded since the last call of this function. */
function takeTexts(): readonly string[] {
  return embedder.calls.splice(0).flat();
}

const EMPTY = { embedded: 0, refused: 0, counted: 0, changed: 0 };

describe('refreshSearch embeds', () => {
  it('new texts and changed texts, each distinct text once', async () => {
    const description = createWord(0.8);
    await store('one', { description });
    await store('two', { description });
    await store('other', { description: 'another text' });
    expect(await refresh()).toMatchObject({ embedded: 2 });
    expect(new Set(takeTexts())).toEqual(new Set([description, 'another text']));

    expect(await refresh()).toEqual(EMPTY);
    await store('one', { description, score: 12, grade: 'F' });
    await store('two', { description: 'a changed text' });
    expect(await refresh()).toMatchObject({ embedded: 1 });
    expect(takeTexts()).toEqual(['a changed text']);
    // A text that was embedded before is not embedded again.
    await store('two', { description });
    expect(await refresh()).toMatchObject({ embedded: 0 });
    expect(takeTexts()).toEqual([]);
  });

  it('at most 16 texts per call, and saves them after each call', async () => {
    await storeMany(70, (index) => ({ description: `text ${index}` }));
    functions.length = 0;
    expect(await refresh()).toMatchObject({ embedded: 70, counted: 70 });
    expect(embedder.calls.map((texts) => texts.length)).toEqual([16, 16, 16, 16, 6]);
    expect(embedder.calls[0]).toHaveLength(MAX_TEXTS_PER_CALL);
    expect(functions.filter((name) => name === 'pending_search_texts')).toHaveLength(2);
    expect(functions.filter((name) => name === 'save_embeddings')).toHaveLength(5);
  });

  it('everything again with another model, and never compares vectors of two models', async () => {
    await store('subject', { description: createWord(1), score: 10, grade: 'F' });
    await store('other', { description: createWord(0.9) });
    await refresh();
    const next = createTopicEmbedder('topics/2');
    const createNextWord = next.createTopic();
    const ask = () =>
      findAlternatives(
        { db, embedder: next, baseUrl: 'https://touchstone.example' },
        { resource: toUrl('subject'), limit: 5, minScoreDelta: 5 },
      );
    // The words of both embedders are the same, so their vectors would be similar.
    expect([createNextWord(1), createNextWord(0.9)]).toHaveLength(2);
    expect(await ask()).toMatchObject({ kind: 'problem', code: 'search-unavailable' });
    expect(await refresh({ embedder: next })).toMatchObject({ embedded: 2 });
    expect(await ask()).toMatchObject({ body: { count: 1 } });
    expect(await refresh({ embedder: next })).toMatchObject({ embedded: 0 });
  });

  it('all other texts when the embedder refuses some, and tries those again after 24 hours', async () => {
    for (const word of ['poison', 'venom']) embedder.refusedWords.add(word);
    await storeMany(70, (index) => ({
      description: index === 20 ? 'poison' : index === 21 ? 'venom' : `text ${index}`,
    }));
    const summary = await refresh();
    expect(summary).toMatchObject({ embedded: 68, refused: 2 });
    const { data } = await db
      .from('search_texts')
      .select('text')
      .eq('text_hash', summary.firstRefused ?? '');
    expect(['poison', 'venom']).toContain(data?.[0]?.text);
    embedder.refusedWords.clear();
    takeTexts();
    now += 24 * HOUR_MS - 1;
    expect(await refresh()).toMatchObject({ embedded: 0, refused: 0 });
    expect(takeTexts()).toEqual([]);
    now += 1;
    expect(await refresh()).toMatchObject({ embedded: 2, refused: 0 });
  });

  it('all other texts when more are refused than two batches have', async () => {
    embedder.refusedWords.add('poison');
    await storeMany(150, (index) => ({ description: index < 130 ? `poison ${index}` : `text ${index}` }));
    expect(await refresh()).toMatchObject({ embedded: 20, refused: 130 });
  });

  it('nothing after a timeout, and does not repeat the texts in smaller calls', async () => {
    await storeMany(40, (index) => ({ description: `text ${index}` }));
    embedder.isSlow = true;
    expect(await refresh()).toMatchObject({
      embedded: 0,
      refused: 0,
      failure: 'The embedder did not respond in time.',
    });
    expect(embedder.calls).toHaveLength(1);
    embedder.isSlow = false;
    expect(await refresh()).toMatchObject({ embedded: 40 });
  });

  it('refuses no text when the embedder stops during the smaller calls', async () => {
    embedder.refusedWords.add('poison');
    await storeMany(16, (index) => ({ description: index === 0 ? 'poison' : `text ${index}` }));
    const embed = embedder.embed.bind(embedder);
    embedder.embed = (texts) => {
      embedder.isDown = embedder.calls.length > 1;
      return embed(texts);
    };
    expect(await refresh()).toMatchObject({ refused: 0, failure: expect.stringContaining('down') as string });
    embedder.embed = embed;
    embedder.isDown = false;
    expect(await refresh()).toMatchObject({ refused: 1 });
  });

  it('after a check of the vector space in each run with new texts', async () => {
    for (const text of ['first', 'second']) {
      await store('one', { description: text });
      await refresh();
      await refresh();
    }
    expect(embedder.checks).toBe(2);
  });

  it('nothing while the embedder does not respond, and counts the alternatives anyway', async () => {
    const description = createWord(1);
    await store('subject', { description, score: 10, grade: 'F' });
    await refresh();
    await store('subject', { description, score: 30, grade: 'F' });
    await store('new', { description: 'new text' });
    embedder.isDown = true;
    takeTexts();
    expect(await refresh()).toEqual({
      embedded: 0,
      refused: 0,
      counted: 1,
      changed: 0,
      failure: expect.stringContaining('down') as string,
    });
    // The check fails, so no text is sent.
    expect(embedder.calls).toHaveLength(0);
    embedder.isDown = false;
    expect(await refresh()).toEqual({ embedded: 1, refused: 0, counted: 1, changed: 1 });
  });

  it('nothing without an embedder, and counts the alternatives with stored vectors', async () => {
    const description = 'text';
    const model = EMBEDDING_MODEL;
    const low = await store('low', { description, score: 20 });
    await store('high', { description, score: 80 });
    await refresh({ embedder: { ...createTopicEmbedder(), model } });
    await store('low', { description, score: 79 });
    await store('new', { description: 'a new text' });
    expect(await refresh({ embedder: null })).toMatchObject({ embedded: 0, counted: 1, changed: 1 });
    expect(await readCount(low)).toBe(0);
  });

  it('once when two runs overlap', async () => {
    await store('subject', { description: createWord(1), score: 10, grade: 'F' });
    await storeMany(40, () => ({ description: createWord(0.9) }));
    await Promise.all([refresh(), refresh()]);
    const { count } = await db.from('search_texts').select('*', { count: 'exact', head: true });
    expect(count).toBe(41);
    expect(await refresh()).toEqual(EMPTY);
    expect(changedIds.flat().length).toBe(new Set(changedIds.flat()).size);
  });
});

describe('refreshSearch counts', () => {
  it('the alternatives of each endpoint, at most 10, and refreshes the pages', async () => {
    const description = createWord(1);
    const best = await store('best', { description, score: 99, grade: 'A' });
    const worst = await store('worst', { description, score: 1, grade: 'F', recommendation: 'avoid' });
    await storeMany(11, (index) => ({ description, score: 50 + index }));
    const alone = await store('alone', { description: 'another purpose' });
    expect(await refresh()).toMatchObject({ counted: 14, changed: 14 });
    expect(await Promise.all([best, worst, alone].map(readCount))).toEqual([0, 10, 0]);
    expect(changedIds.flat()).toHaveLength(14);
  });

  it('nothing that was counted in the last 24 hours', async () => {
    const subject = await store('subject', { description: createWord(1), score: 10, grade: 'F' });
    await refresh();
    expect(await readCount(subject)).toBe(0);
    await store('other', { description: createWord(0.9) });
    expect(await refresh()).toMatchObject({ counted: 1 });
    expect(await readCount(subject)).toBe(0);
    now += 24 * HOUR_MS + 1000;
    changedIds = [];
    expect(await refresh()).toMatchObject({ counted: 2, changed: 1 });
    expect(await readCount(subject)).toBe(1);
    expect(changedIds).toEqual([[subject]]);
  });

  it('at once after a change of the recommendation, of the score or of the text', async () => {
    const description = createWord(1);
    const subject = await store('subject', { description, score: 60 });
    await store('other', { description, score: 80 });
    await refresh();
    expect(await readCount(subject)).toBe(1);
    const changes = [
      { score: 60.9, expected: 0, count: 1 },
      { score: 78, expected: 1, count: 0 },
      { score: 78, recommendation: 'caution', expected: 1, count: 0 },
      { score: 78, recommendation: 'caution', description: 'other text', expected: 1, count: 0 },
    ] as const;
    for (const { expected, count, ...change } of changes) {
      await store('subject', { description, ...change });
      // The scoring job changes no count, and deletes the count of another text.
      expect((await readCount(subject)) === null).toBe('description' in change);
      expect(await refresh()).toMatchObject({ counted: expected });
      expect(await readCount(subject)).toBe(count);
    }
  });

  it('nothing while more texts are pending than a run embeds', async () => {
    let batches = 0;
    const summary = await refreshInBatches({
      embed: () => {
        batches += 1;
        return Promise.resolve({ embedded: 64, refused: [], more: true });
      },
      count: () => Promise.reject(new Error('counted')),
    });
    expect(summary).toEqual({ ...EMPTY, embedded: 64 * batches });
  });

  it('with a limited number of calls per run', async () => {
    await storeMany(1600, (index) => ({ description: `text ${index % 7}` }));
    functions.length = 0;
    expect(await refresh()).toMatchObject({ embedded: 7, counted: 1500 });
    expect(functions.filter((name) => name === 'count_alternatives')).toHaveLength(30);
    expect(await refresh()).toMatchObject({ embedded: 0, counted: 100 });
  }, 120_000);
});
