import { embedBatch } from './embed-batch.ts';
import { HOUR_MS } from '@touchstone/common';
import { EMBEDDING_MODEL, MAX_TEXTS_PER_CALL } from '@touchstone/search';
import type { Db } from '@touchstone/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeEndpoint, storeEndpoints, type EndpointChange } from '../testing/store-endpoint.ts';
import { createTopicEmbedder, type TopicEmbedder } from '../testing/topics.ts';
import { useWorld } from '../testing/world.ts';
import { refreshSearch } from './refresh-search.ts';
import type { SearchJobContext } from './search-context.ts';

const world = useWorld();
let db: Db;
let embedder: TopicEmbedder;
let createWord: (similarity: number) => string;
/** Names of the called database functions. */
let functions: string[];

beforeEach(async () => {
  await world.clear();
  functions = [];
  db = world.connect(createCountingFetch(functions));
  embedder = createTopicEmbedder();
  createWord = embedder.createTopic();
});

const toUrl = (name: string): string => world.toUrl('/', name);

function store(name: string, change: Partial<EndpointChange> = {}): Promise<string> {
  world.time += 1000;
  return storeEndpoint(db, world.time, { resource: toUrl(name), ...change });
}

async function storeMany(count: number, create: (index: number) => Partial<EndpointChange>): Promise<void> {
  world.time += 1000;
  const changes = Array.from({ length: count }, (_, index) => ({
    resource: toUrl(`many${index}`),
    ...create(index),
  }));
  await storeEndpoints(db, world.time, changes);
}

const refresh = (change: Partial<SearchJobContext> = {}) =>
  refreshSearch({ ...world.context, db, embedder, ...change });

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
    world.time += 24 * HOUR_MS - 1;
    expect(await refresh()).toMatchObject({ embedded: 0, refused: 0 });
    expect(takeTexts()).toEqual([]);
    world.time += 1;
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
    const own = createTopicEmbedder(EMBEDDING_MODEL);
    const description = own.createTopic()(1);
    const low = await store('low', { description, score: 20 });
    await store('high', { description, score: 80 });
    await refresh({ embedder: own });
    await store('low', { description, score: 79 });
    await store('new', { description: 'a new text' });
    expect(await refresh({ embedder: null })).toMatchObject({ embedded: 0, counted: 1, changed: 1 });
    expect(await readCount(low)).toBe(0);
  });

  it('once when two runs overlap', async () => {
    await store('subject', { description: createWord(1), score: 10, grade: 'F' });
    await storeMany(40, () => ({ description: createWord(0.9) }));
    await Promise.all([refresh(), refresh()]);
    expect(await refresh()).toEqual(EMPTY);
    const ids = world.changedIds;
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Refreshes the search. `toResult` returns the result of each step by its name, and no step is run. */
const refreshWithSteps = (toResult: (name: string) => object) => {
  // The cast is safe, because each result has the members of the step with this name.
  const runStep = <Result>(name: string): Promise<Result> => Promise.resolve(toResult(name) as Result);
  return refreshSearch({ ...world.context, runStep });
};

describe('refreshSearch counts', () => {
  it('the alternatives of each endpoint, and refreshes the pages whose number changed', async () => {
    const description = createWord(1);
    const best = await store('best', { description, score: 99, grade: 'A' });
    const worst = await store('worst', { description, score: 1, grade: 'F', recommendation: 'avoid' });
    const alone = await store('alone', { description: 'another purpose' });
    expect(await refresh()).toMatchObject({ counted: 3, changed: 3 });
    expect(await Promise.all([best, worst, alone].map(readCount))).toEqual([0, 1, 0]);
    expect(world.changedIds.toSorted()).toEqual([best, worst, alone].toSorted());
    world.changedTags.length = 0;
    await store('best', { description, score: 98, grade: 'A', recommendation: 'caution' });
    await store('worst', { description: 'a changed text', score: 1, grade: 'F' });
    expect(await refresh()).toMatchObject({ changed: 1 });
    expect(world.changedIds).toEqual([worst]);
  });

  it('nothing while more texts are pending than a run embeds', async () => {
    const steps: string[] = [];
    const summary = await refreshWithSteps((name) => {
      steps.push(name);
      return { embedded: 64, refused: [], more: true };
    });
    expect(summary).toEqual({ ...EMPTY, embedded: 64 * steps.length });
    expect(steps).not.toContain('count batch 1');
  });

  it('with a limited number of calls per run', async () => {
    const summary = await refreshWithSteps((name) =>
      name.startsWith('embed')
        ? { embedded: 7, refused: ['hash'], more: false }
        : { counted: 50, changed: 1 },
    );
    const embedding = { embedded: 7, refused: 1, firstRefused: 'hash' };
    expect(summary).toEqual({ ...embedding, counted: 1500, changed: 30 });
  });
});

it('embedBatch ends at its deadline while the embedder does not respond, and the next run embeds the rest', async () => {
  await storeMany(20, () => ({ description: createWord(0.5) }));
  const deadline = new AbortController();
  let calls = 0;
  const slow: typeof embedder = {
    ...embedder,
    embedEndpoints: (texts) => {
      calls += 1;
      if (calls === 1) return embedder.embedEndpoints(texts);
      deadline.abort();
      return new Promise(() => undefined);
    },
  };
  expect(await embedBatch({ ...world.context, embedder: slow, signal: deadline.signal })).toEqual({
    ...{ embedded: 16, refused: [], more: true },
    failure: 'The batch reached its time limit before all texts were embedded.',
  });
  expect(await embedBatch({ ...world.context, embedder })).toMatchObject({ embedded: 4, refused: [] });
});
