import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { semanticSearchSchema, TEXT_LIMITS, type SemanticSearch } from '@touchstone/contract';
import { connect, StoreError, type Db } from '@touchstone/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeEndpoint, type EndpointChange } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { refreshSearch } from './refresh-search.ts';
import { searchEndpoints } from './search-endpoints.ts';

const BASE = 'https://touchstone.example';
const keys = createKeys();
const embedder = createTopicEmbedder();
let database: EmbeddedDatabase;
let db: Db;
let now = Date.UTC(2026, 10, 1);
/** Creates words with a similarity to the topic of the current test. */
let createWord: (similarity: number) => string;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
});
afterAll(() => database.close());
beforeEach(() => {
  tests += 1;
  createWord = embedder.createTopic();
});

/** Stores an endpoint with its own host. The path and the description are given. */
function store(path: string, change: Partial<EndpointChange> = {}): Promise<string> {
  now += 1000;
  return storeEndpoint(db, now, {
    resource: `https://${path.replaceAll(/\W/g, '-')}.t${tests}.example.com/${path}`,
    ...change,
  });
}

async function search(limit = 25, query = createWord(1)): Promise<SemanticSearch> {
  await refreshSearch({ db, embedder, now: () => now, onChanged: () => Promise.resolve() });
  const outcome = await searchEndpoints({ db, embedder, baseUrl: BASE }, { query, limit });
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return semanticSearchSchema.parse(outcome.body);
}

/** Returns the last part of the path of each match. */
const listNames = ({ matches }: SemanticSearch): string[] =>
  matches.map(({ resource }) => new URL(resource).pathname.slice(1));

describe('searchEndpoints', () => {
  it('returns the texts, the verdict and the page of a match, and repeats the query', async () => {
    const description = `Weather\u202e\u2028${createWord(0.8123)}`;
    const resource = 'https://weather.example.com/now';
    const id = await storeEndpoint(db, now, { resource, description, score: 81.5, grade: 'A' });
    const query = `what is the ${createWord(1)}`;
    const { slug } = (await db.from('snapshots').select('slug').eq('endpoint_id', id).single()).data ?? {};
    expect(await search(25, query)).toEqual({
      query,
      count: 1,
      matches: [
        {
          id,
          resource,
          score: 81.5,
          grade: 'A',
          similarity: 0.8123,
          description: description.replace('\u202e\u2028', ' '),
          endpointPage: `${BASE}/endpoint/${slug ?? ''}`,
        },
      ],
    });
  });

  it('orders by similarity in whole percent, then score, then described, then id', async () => {
    const tie = createWord(0.705);
    await store('far', { description: createWord(0.699), score: 99, grade: 'A' });
    await store('good', { description: createWord(0.7), score: 80.1, grade: 'A' });
    await store('better', { description: createWord(0.709), score: 80.2, grade: 'A' });
    await store('ungraded', {
      description: createWord(0.7099),
      score: 95,
      grade: '?',
      recommendation: 'free',
    });
    await store('near', { description: createWord(0.71), score: 3, grade: 'F', recommendation: 'avoid' });
    await store(`undescribed/${tie}`, { score: 80.1, grade: 'A' });
    const described = await Promise.all(
      ['one', 'two'].map((name) => store(name, { description: tie, score: 80.1, grade: 'A' })),
    );
    const good = await search();
    const byId = good.matches.filter(({ id }) => described.includes(id)).map(({ id }) => id);
    expect(byId).toEqual(described.toSorted());
    const names = listNames(good);
    expect(names.slice(0, 2)).toEqual(['near', 'better']);
    expect(new Set(names.slice(2, 5))).toEqual(new Set(['good', 'one', 'two']));
    expect(names.slice(5)).toEqual([`undescribed/${tie}`, 'ungraded', 'far']);
    // The order by id is that of the bytes, and the same for each request.
    const inBucket = good.matches.slice(2, 5).map(({ id }) => id);
    expect(inBucket).toEqual(inBucket.toSorted());
    expect(await search()).toEqual({ ...good, query: expect.any(String) as string });
  });

  it('assigns a similarity of exactly 58 % to its own percent', async () => {
    // The floating-point product of 0.58 and 100 is 57.99999999999999.
    await store('exact', { description: createWord(0.58), score: 1, grade: 'F' });
    await store('lower', { description: createWord(0.5799), score: 99, grade: 'A' });
    expect(listNames(await search())).toEqual(['exact', 'lower']);
  });

  it('leaves out similarities below 0.5 and keeps 0.5', async () => {
    await store('below', { description: createWord(0.4999) });
    await store('at', { description: createWord(0.5) });
    await store('above', { description: createWord(0.5001) });
    expect(new Set(listNames(await search()))).toEqual(new Set(['above', 'at']));
  });

  it('returns at most `limit` matches, also when many endpoints have the same text', async () => {
    const word = createWord(0.9);
    for (let score = 1; score <= 30; score += 1)
      await store(`same-${score}`, { description: word, score, grade: 'F' });
    const first = await search(5);
    expect(first.count).toBe(5);
    expect(listNames(first)).toEqual([30, 29, 28, 27, 26].map((score) => `same-${score}`));
    expect((await search(25)).count).toBe(25);
  });

  it('finds an endpoint without a description by its service name and by the words of its URL', async () => {
    await store(`v1/${createWord(0.8)}/latest`);
    await store('named', { serviceName: `The ${createWord(0.9)} company` });
    const result = await search();
    expect(result.matches.map(({ similarity }) => similarity)).toEqual([0.9, 0.8]);
    for (const match of result.matches) expect(match).not.toHaveProperty('description');
  });

  it('returns the score and the grade null for an ungraded endpoint', async () => {
    await store('free', { description: createWord(0.8), score: 60, grade: '?', recommendation: 'free' });
    expect((await search()).matches).toMatchObject([{ score: null, grade: null }]);
  });

  it('returns only public endpoints that are listed', async () => {
    const description = createWord(0.8);
    await store('delisted', {
      description,
      listingStatus: 'delisted',
      delistedAt: new Date(now).toISOString(),
    });
    await store('removed', { description, public: false });
    await store('adopted', { description, listingSource: 'adopted', directories: [] });
    expect(listNames(await search())).toEqual(['adopted']);
  });

  it('reveals no verdict except score and grade', async () => {
    await store('avoided', {
      description: createWord(0.8),
      score: 20,
      grade: 'F',
      recommendation: 'avoid',
      errorFlags: 3,
    });
    const [match = {}] = (await search()).matches;
    expect(Object.keys(match).toSorted()).toEqual([
      'description',
      'endpointPage',
      'grade',
      'id',
      'resource',
      'score',
      'similarity',
    ]);
  });

  it('cuts long descriptions', async () => {
    await store('long', { description: `${createWord(0.8)} ${'x'.repeat(5000)}` });
    expect((await search()).matches[0]?.description).toHaveLength(TEXT_LIMITS.matchDescription);
  });

  it('returns an empty list without a match', async () => {
    const query = createWord(1);
    expect(await search(25, query)).toEqual({ query, count: 0, matches: [] });
  });
});

describe('searchEndpoints without a working embedder', () => {
  it('is unavailable when the service has none or it does not respond', async () => {
    const down = createTopicEmbedder();
    down.isDown = true;
    for (const broken of [null, down]) {
      const outcome = await searchEndpoints(
        { db, embedder: broken, baseUrl: BASE },
        { query: 'x', limit: 5 },
      );
      expect(outcome).toMatchObject({ kind: 'problem', code: 'search-unavailable' });
    }
  });

  it('throws the error of a database that does not respond', async () => {
    const closed = connect({ url: 'http://127.0.0.1:1', key: keys.secret });
    const request = searchEndpoints({ db: closed, embedder, baseUrl: BASE }, { query: 'x', limit: 5 });
    await expect(request).rejects.toBeInstanceOf(StoreError);
  });
});
