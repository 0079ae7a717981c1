import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, type Db } from '@touchstone/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeEndpoint } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { findAlternatives } from './find-alternatives.ts';
import { refreshSearch } from './refresh-search.ts';
import { searchEndpoints } from './search-endpoints.ts';

// A problem is not charged. These are the problems of the catalog and of the subject.

const BASE = 'https://touchstone.example';
const keys = createKeys();
const embedder = createTopicEmbedder();
const createWord = embedder.createTopic();
const topic = createWord(1);
let database: EmbeddedDatabase;
let db: Db;
let now = Date.UTC(2026, 10, 1);

beforeAll(async () => {
  database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
});
afterAll(() => database.close());

const toUrl = (name: string): string => `https://${name}.example.com/`;

function store(name: string, description: string | null, score = 70): Promise<string> {
  now += 1000;
  return storeEndpoint(db, now, { resource: toUrl(name), description, score });
}

const refresh = () => refreshSearch({ db, embedder, now: () => now, onChanged: () => Promise.resolve() });
const search = (by: typeof embedder | null = embedder) =>
  searchEndpoints({ db, embedder: by, baseUrl: BASE }, { query: topic, limit: 25 });
const ask = (resource: string, by: typeof embedder | null = embedder) =>
  findAlternatives({ db, embedder: by, baseUrl: BASE }, { resource, limit: 25, minScoreDelta: 5 });

describe('while more than 5 % of the texts have no vector', () => {
  const INDEXING = {
    kind: 'problem',
    code: 'search-unavailable',
    detail: expect.stringMatching(/^The catalog is being indexed/) as string,
  };

  it('search and alternatives are unavailable, until the texts are embedded', async () => {
    await store('subject', topic, 40);
    for (let index = 0; index < 20; index += 1) await store(`other${index}`, createWord(0.9));
    expect(await search()).toMatchObject(INDEXING);
    expect(await ask(toUrl('subject'))).toMatchObject(INDEXING);
    expect(await ask(toUrl('unknown'))).toMatchObject(INDEXING);
    await refresh();
    expect(await search()).toMatchObject({ body: { count: 21 } });
    expect(await ask(toUrl('subject'))).toMatchObject({ body: { count: 20 } });

    await store('pending', 'one pending text of 22');
    expect(await search()).toMatchObject({ body: { count: 21 } });
    await store('pending2', 'two pending texts of 23');
    const calls = embedder.calls.length;
    for (const resource of [toUrl('subject'), toUrl('unknown')])
      expect(await ask(resource)).toMatchObject(INDEXING);
    expect(embedder.calls.length).toBe(calls);
    expect(await search()).toMatchObject(INDEXING);
    const withoutEmbedder = expect.stringContaining('without an embedder') as string;
    expect(await ask(toUrl('subject'), null)).toMatchObject({ ...INDEXING, detail: withoutEmbedder });
    await refresh();
    expect(await ask(toUrl('subject'))).toMatchObject({ body: { count: 20 } });
  });
});

describe('a subject without words', () => {
  it.each(['https://1.1.1.1/v1/{id}', 'https://d1a2b3c4e5.example.com/'])(
    'is an invalid request inside and outside the catalog: %s',
    async (resource) => {
      const problem = {
        kind: 'problem',
        code: 'invalid-request',
        detail: expect.stringContaining('POST /v1/semantic-search') as string,
        errors: [{ path: 'resource' }],
      };
      const calls = embedder.calls.length;
      expect(await ask(resource)).toMatchObject(problem);
      await storeEndpoint(db, now, { resource });
      expect(await refresh()).toMatchObject({ embedded: 0, counted: 0 });
      expect(await ask(resource)).toMatchObject(problem);
      expect(embedder.calls.length).toBe(calls);
    },
  );
});
