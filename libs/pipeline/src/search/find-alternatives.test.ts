import { similarSchema, type Similar } from '@touchstone/contract';
import { connect, StoreError, type Db } from '@touchstone/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeEndpoint, storeEndpoints, type EndpointChange } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { useWorld } from '../testing/world.ts';
import { findAlternatives, type AlternativesRequest } from './find-alternatives.ts';
import { refreshSearch } from './refresh-search.ts';
import type { SearchContext } from './search-context.ts';
import { searchEndpoints } from './search-endpoints.ts';

// The tests of the database function prove the order, the limits and the choice of the alternatives.

const BASE = 'https://touchstone.example';
const runQuery: SearchContext['runQuery'] = (query) => query();
const world = useWorld();
const embedder = createTopicEmbedder();
/** Creates words with a similarity to the topic of the current test. */
let createWord: (similarity: number) => string;

beforeEach(async () => {
  // A search needs the vectors of nearly all stored texts.
  await world.clear();
  createWord = embedder.createTopic();
});

/** Returns a URL of the current test. Each name has its own host. */
const toUrl = (name: string, path = ''): string => `https://${name}.${world.host}/${path}`;

function storeResource(resource: string, change: Partial<EndpointChange>): Promise<string> {
  world.time += 1000;
  return storeEndpoint(world.context.db, world.time, { resource, ...change });
}
const store = (name: string, change: Partial<EndpointChange> = {}) => storeResource(toUrl(name), change);

/**
 * Stores an endpoint with the score 40 whose text is the topic of the test, and an endpoint that is a better
 * alternative.
 */
async function storePair(change: Partial<EndpointChange> = {}): Promise<readonly string[]> {
  const verdict = { score: 40, grade: 'D', recommendation: 'avoid' } as const;
  const subject = await store('subject', { description: createWord(1), ...verdict, ...change });
  const other = { description: createWord(0.8642), score: 71.5, amountUsd: '0.0025' };
  return [subject, await store('other', other)];
}

const refresh = () => refreshSearch({ ...world.context, embedder });

const ask = (request: Partial<AlternativesRequest> = {}, change: { embedder?: null; db?: Db } = {}) =>
  findAlternatives(
    { db: world.context.db, embedder, baseUrl: BASE, runQuery, ...change },
    { resource: toUrl('subject'), limit: 5, minScoreDelta: 5, ...request },
  );

async function find(request: Partial<AlternativesRequest> = {}): Promise<Similar> {
  await refresh();
  const outcome = await ask(request);
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return similarSchema.parse(outcome.body);
}

/** Returns the first label of the host of each alternative. */
const listNames = ({ alternatives }: Similar): string[] =>
  alternatives.map(({ resource }) => new URL(resource).hostname.split('.')[0] ?? '');

describe('findAlternatives', () => {
  it('returns the subject, and the verdict, price and page of an alternative', async () => {
    const [subject, other] = await storePair();
    const toPage = (id = '') => expect.stringMatching(new RegExp(`^${BASE}/endpoint/.*-${id}$`)) as string;
    const [resource, better] = [toUrl('subject'), toUrl('other')];
    const verdict = { score: 71.5, grade: 'B', recommendation: 'proceed', confidence: 0.9 };
    const price = { similarity: 0.8642, amountUsd: '0.002500', network: 'eip155:8453' };
    expect(await find()).toEqual({
      resource,
      subject: { resource, score: 40, grade: 'D', recommendation: 'avoid', endpointPage: toPage(subject) },
      count: 1,
      withinDelta: 1,
      alternatives: [{ resource: better, ...verdict, ...price, endpointPage: toPage(other) }],
    });
  });

  it('passes the limit and the minimum advantage of the score on, and may find nothing', async () => {
    await storePair();
    await store('best', { description: createWord(0.9), score: 90, grade: 'A' });
    expect(listNames(await find())).toEqual(['best', 'other']);
    expect(listNames(await find({ limit: 1 }))).toEqual(['best']);
    expect(listNames(await find({ minScoreDelta: 32 }))).toEqual(['best']);
    expect(await find({ minScoreDelta: 51 })).toMatchObject({ count: 0, alternatives: [] });
  });

  it('compares a subject without a description by its service name or its URL', async () => {
    await storePair({ description: null, serviceName: createWord(1) });
    expect(listNames(await find())).toEqual(['other']);
    const resource = toUrl('bare', `v2/${createWord(1)}`);
    await storeResource(resource, { score: 40, grade: 'D' });
    expect(listNames(await find({ resource }))).toEqual(['other']);
  });

  it('compares a template of the catalog', async () => {
    const resource = toUrl('template', `${createWord(1)}/{city}`);
    await storeResource(resource, { score: 40, grade: 'D', recommendation: 'parameterize' });
    await store('other', { description: createWord(0.9) });
    const spelled = resource.replace('{city}', '%7Bcity%7D');
    const result = await find({ resource: spelled });
    expect(result).toMatchObject({ resource: spelled, subject: { resource, score: 40 }, count: 1 });
  });
});

describe('the calls of findAlternatives', () => {
  it.each([
    ['one of the database and none of the embedder with a stored vector', 0],
    ['three of the database and one of the embedder without a stored vector', 1],
  ])('are %s', async (_, embedderCalls) => {
    const isStored = embedderCalls === 0;
    // 60 more texts keep the two texts without a vector below 5 % of all texts. Above 5 %, the response is
    // `search-unavailable`.
    const others = Array.from({ length: isStored ? 0 : 60 }, (_other, index) => ({
      resource: toUrl(`other${index}`),
      description: `text ${index}`,
    }));
    await storeEndpoints(world.context.db, world.time, others);
    await refresh();
    await storePair();
    if (isStored) await refresh();
    const calls = embedder.calls.length;
    const functions: string[] = [];
    const outcome = await ask({}, { db: world.connect(createCountingFetch(functions)) });
    expect(outcome).toMatchObject({ kind: 'result', body: { subject: { score: 40 } } });
    const saved = isStored ? [] : ['save_embeddings', 'alternatives_to'];
    expect(functions).toEqual(['alternatives_to', ...saved]);
    expect(embedder.calls.length - calls).toBe(embedderCalls);
  });
});

// A request that ends with a problem is not charged.
describe('a problem', () => {
  it.each([
    ['no url', 'not an absolute URL'],
    ['ftp://example.com/', 'the scheme ftp is not https or http'],
    ['https://{tenant}.example.com/', ''],
  ])('is the URL %s, which is no URL of an endpoint', async (resource, reason) => {
    expect(await ask({ resource })).toMatchObject({
      kind: 'problem',
      code: 'invalid-request',
      detail: expect.stringContaining(reason) as string,
      errors: [{ path: 'resource', message: expect.stringMatching(/^Give the full https URL/) as string }],
    });
  });

  it.each(['https://1.1.1.1/v1/{id}', 'https://d1a2b3c4e5.example.com/'])(
    'is a subject without words: %s',
    async (resource) => {
      const detail = expect.stringContaining('POST /v1/semantic-search') as string;
      const problem = { code: 'invalid-request', detail, errors: [{ path: 'resource' }] };
      const calls = embedder.calls.length;
      await storeResource(resource, {});
      expect(await refresh()).toMatchObject({ embedded: 0, counted: 0 });
      expect(await ask({ resource })).toMatchObject(problem);
      expect(embedder.calls.length).toBe(calls);
    },
  );

  it('is an embedder that does not work, except for a subject with a stored vector', async () => {
    await storePair();
    await refresh();
    embedder.isDown = true;
    expect(await ask()).toMatchObject({ kind: 'result', body: { count: 1 } });
    // 40 more texts keep the text without a vector below 5 % of all texts.
    const others = Array.from({ length: 40 }, (_, index) => ({
      resource: toUrl(`other${index}`),
      description: `text ${index}`,
    }));
    embedder.isDown = false;
    await storeEndpoints(world.context.db, world.time, others);
    await refresh();
    await store('new', { description: createWord(1) });
    embedder.isDown = true;
    const resource = toUrl('new');
    expect(await ask({ resource })).toMatchObject({ code: 'search-unavailable' });
    embedder.isDown = false;
    expect(await ask({ resource }, { embedder: null })).toMatchObject({ code: 'search-unavailable' });
  });

  it('is an endpoint outside the catalog, and names a similar URL of its host', async () => {
    await storePair();
    const resource = toUrl('subject', 'v2/forecast');
    expect(await ask({ resource })).toMatchObject({
      code: 'unknown-resource',
      detail: expect.stringContaining(
        `The catalog contains ${toUrl('subject')} of the same host (`,
      ) as string,
    });
  });

  it('is a catalog in which more than 5 % of the texts have no vector', async () => {
    const detail = expect.stringMatching(/^The catalog is being indexed/) as string;
    const INDEXING = { kind: 'problem', code: 'search-unavailable', detail };
    const topic = createWord(1);
    const context = { db: world.context.db, embedder, baseUrl: BASE, runQuery };
    const search = () => searchEndpoints(context, { query: topic, limit: 25 });
    await storePair({ description: topic });
    for (let index = 0; index < 18; index += 1) await store(`o${index}`, { description: createWord(0.3) });
    await refresh();
    await store('pending', { description: 'one pending text of 21' });
    for (const outcome of [await search(), await ask()]) expect(outcome).toMatchObject({ kind: 'result' });
    await store('pending2', { description: 'two pending texts of 22' });
    const calls = embedder.calls.length;
    expect(await ask()).toMatchObject(INDEXING);
    expect(embedder.calls.length).toBe(calls);
    expect(await search()).toMatchObject(INDEXING);
    const withoutEmbedder = expect.stringContaining('without an embedder') as string;
    expect(await ask({}, { embedder: null })).toMatchObject({ ...INDEXING, detail: withoutEmbedder });
    await refresh();
    expect(await ask()).toMatchObject({ body: { count: 1 } });
  });

  it('is not the error of a database that does not respond', async () => {
    const closed = connect({ url: 'http://127.0.0.1:1', key: 'secret' });
    await expect(ask({}, { db: closed })).rejects.toBeInstanceOf(StoreError);
  });
});
