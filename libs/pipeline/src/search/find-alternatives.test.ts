import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { similarSchema, type Similar } from '@touchstone/contract';
import { connect, StoreError, type Db } from '@touchstone/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeEndpoint, type EndpointChange } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { findAlternatives, type AlternativesRequest } from './find-alternatives.ts';
import { refreshSearch } from './refresh-search.ts';

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

/** Returns a URL of the current test. Each name has its own host. */
const toUrl = (name: string, path = ''): string => `https://${name}.t${tests}.example.com/${path}`;

function store(name: string, change: Partial<EndpointChange> = {}): Promise<string> {
  now += 1000;
  return storeEndpoint(db, now, { resource: toUrl(name), ...change });
}

/** Stores an endpoint with the score 40 whose text is the topic of the test. */
const storeSubject = (change: Partial<EndpointChange> = {}): Promise<string> =>
  store('subject', { description: createWord(1), score: 40, grade: 'D', recommendation: 'avoid', ...change });

const refresh = () => refreshSearch({ db, embedder, now: () => now, onChanged: () => Promise.resolve() });

const ask = (request: Partial<AlternativesRequest> = {}, change: { embedder?: null; db?: Db } = {}) =>
  findAlternatives(
    { db, embedder, baseUrl: BASE, ...change },
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
    const subject = await storeSubject();
    const other = await store('other', { description: createWord(0.8642), score: 71.5, amountUsd: '0.0025' });
    const result = await find();
    expect(result).toEqual({
      resource: toUrl('subject'),
      subject: {
        resource: toUrl('subject'),
        score: 40,
        grade: 'D',
        recommendation: 'avoid',
        endpointPage: expect.stringMatching(new RegExp(`^${BASE}/endpoint/.*-${subject}$`)) as string,
      },
      count: 1,
      alternatives: [
        {
          resource: toUrl('other'),
          score: 71.5,
          grade: 'B',
          recommendation: 'proceed',
          similarity: 0.8642,
          amountUsd: '0.002500',
          network: 'eip155:8453',
          endpointPage: expect.stringMatching(new RegExp(`^${BASE}/endpoint/.*-${other}$`)) as string,
        },
      ],
    });
  });

  it('orders by similarity in whole percent, then score, then described, then id', async () => {
    await storeSubject();
    const tie = createWord(0.805);
    await store('far', { description: createWord(0.799), score: 99, grade: 'A' });
    await store('high', { description: createWord(0.8), score: 90, grade: 'A' });
    await store('near', { description: createWord(0.81), score: 50, grade: 'C' });
    const tied = await Promise.all(['one', 'two'].map((name) => store(name, { description: tie })));
    await store(tie);
    const result = await find({ limit: 25 });
    const byId =
      tied[0] !== undefined && tied[1] !== undefined && tied[0] < tied[1] ? ['one', 'two'] : ['two', 'one'];
    expect(listNames(result)).toEqual(['near', 'high', ...byId, tie, 'far']);
    expect(await find({ limit: 25 })).toEqual(result);
  });

  it('requires the minimum advantage of the score', async () => {
    await storeSubject();
    for (const score of [39, 40, 44.9, 45, 60])
      await store(`s${score * 10}`, { description: createWord(0.9), score, grade: 'C' });
    expect(new Set(listNames(await find()))).toEqual(new Set(['s450', 's600']));
    expect(new Set(listNames(await find({ minScoreDelta: 0 })))).toEqual(
      new Set(['s400', 's449', 's450', 's600']),
    );
    expect(listNames(await find({ minScoreDelta: 20 }))).toEqual(['s600']);
    expect(listNames(await find({ minScoreDelta: 20.1 }))).toEqual([]);
  });

  it('leaves out the own host, avoided, ungraded, delisted and removed endpoints', async () => {
    await storeSubject();
    const description = createWord(0.9);
    await storeEndpoint(db, now, {
      resource: toUrl('subject', 'sibling'),
      description,
      score: 90,
      grade: 'A',
    });
    await store('avoided', { description, recommendation: 'avoid' });
    await store('free', { description, recommendation: 'free', grade: '?' });
    await store('delisted', { description, listingStatus: 'delisted' });
    await store('removed', { description, public: false });
    await store('cautious', { description, recommendation: 'caution' });
    expect(listNames(await find())).toEqual(['cautious']);
  });

  it('fills the list when the most similar endpoints are left out', async () => {
    await storeSubject();
    const description = createWord(0.95);
    for (let index = 0; index < 60; index += 1)
      await storeEndpoint(db, now, { resource: toUrl('subject', `sibling${index}`), description });
    for (let index = 0; index < 60; index += 1)
      await store(`bad${index}`, { description: createWord(0.94), recommendation: 'avoid' });
    for (const name of ['one', 'two', 'three']) await store(name, { description: createWord(0.6) });
    expect(new Set(listNames(await find()))).toEqual(new Set(['one', 'two', 'three']));
  });

  it('leaves out similarities below 0.55, and returns at most `limit`', async () => {
    await storeSubject();
    await store('below', { description: createWord(0.5499) });
    await store('at', { description: createWord(0.55) });
    await store('above', { description: createWord(0.57) });
    expect(listNames(await find())).toEqual(['above', 'at']);
    expect(listNames(await find({ limit: 1 }))).toEqual(['above']);
  });

  it('returns an empty list when no endpoint is better', async () => {
    await storeSubject({ score: 98, grade: 'A', recommendation: 'proceed' });
    await store('other', { description: createWord(0.9) });
    expect(await find()).toMatchObject({ count: 0, alternatives: [], subject: { score: 98 } });
  });

  it('compares a delisted subject', async () => {
    await storeSubject({ listingStatus: 'delisted' });
    await store('other', { description: createWord(0.9) });
    expect(await find()).toMatchObject({ count: 1, subject: { score: 40, recommendation: 'avoid' } });
  });

  it('compares an ungraded subject by its score', async () => {
    await storeSubject({ grade: '?', recommendation: 'free' });
    await store('worse', { description: createWord(0.9), score: 20, grade: 'F' });
    await store('other', { description: createWord(0.9) });
    expect(await find()).toMatchObject({
      count: 1,
      subject: { score: 40, grade: '?', recommendation: 'free' },
    });
  });

  it('compares a subject without a description by its service name or its URL', async () => {
    await storeSubject({ description: null, serviceName: createWord(1) });
    await store('other', { description: createWord(0.9) });
    expect(listNames(await find())).toEqual(['other']);
    const resource = toUrl('bare', `v2/${createWord(1)}`);
    await storeEndpoint(db, now, { resource, score: 40, grade: 'D' });
    expect(new Set(listNames(await find({ resource })))).toEqual(new Set(['other']));
  });

  it('compares a template of the catalog', async () => {
    const resource = toUrl('template', `${createWord(1)}/{city}`);
    await storeEndpoint(db, now, { resource, score: 40, grade: 'D', recommendation: 'parameterize' });
    await store('other', { description: createWord(0.9) });
    const spelled = resource.replace('{city}', '%7Bcity%7D');
    const result = await find({ resource: spelled });
    expect(result).toMatchObject({ resource: spelled, subject: { resource, score: 40 }, count: 1 });
  });
});

describe('findAlternatives for a subject outside the catalog', () => {
  it.each(['forecast', 'forecast/{city}', 'forecast/:city'])(
    'compares the words of its URL /%s',
    async (path) => {
      const resource = toUrl('unknown', `${createWord(1)}/${path}`);
      await store('low', { description: createWord(0.9), score: 4.9, grade: 'F' });
      await store('enough', { description: createWord(0.9), score: 5, grade: 'F' });
      await storeEndpoint(db, now, { resource: toUrl('unknown'), description: createWord(0.9) });
      const result = await find({ resource });
      expect(result).toMatchObject({
        resource,
        subject: { resource, score: null, grade: null, recommendation: null, endpointPage: null },
        count: 1,
      });
      expect(listNames(result)).toEqual(['enough']);
    },
  );

  it('repeats the URL in the spelling of the request', async () => {
    const resource = `HTTPS://Unknown.Example.com:443/${createWord(1)}#part`;
    const { subject, resource: repeated } = await find({ resource });
    expect(repeated).toBe(resource);
    expect(subject.resource).toBe(
      `https://unknown.example.com/${resource.split('/')[3]?.split('#')[0] ?? ''}`,
    );
  });

  it.each([
    ['no url', 'not an absolute URL'],
    ['ftp://example.com/', 'the scheme ftp is not https or http'],
    ['https://localhost/', 'the host is localhost'],
    ['https://{tenant}.example.com/', ''],
  ])('refuses %s', async (resource, reason) => {
    const outcome = await ask({ resource });
    expect(outcome).toMatchObject({
      kind: 'problem',
      code: 'invalid-request',
      detail: expect.stringContaining(reason) as string,
      errors: [{ path: 'resource', message: expect.stringMatching(/^Give the full https URL/) as string }],
    });
  });
});

describe('the calls of findAlternatives', () => {
  const connectCounting = (functions: string[]): Db =>
    connect({ url: database.url, key: keys.secret, fetch: createCountingFetch(functions) });

  it('are one of the database with a stored vector, and none of the embedder', async () => {
    await storeSubject();
    await store('other', { description: createWord(0.9) });
    await refresh();
    const calls = embedder.calls.length;
    const functions: string[] = [];
    await ask({}, { db: connectCounting(functions) });
    expect(functions).toEqual(['alternatives_to']);
    expect(embedder.calls.length - calls).toBe(0);
  });

  it('are two of the database and one of the embedder without a stored vector', async () => {
    await refresh();
    await storeSubject();
    const calls = embedder.calls.length;
    const functions: string[] = [];
    const outcome = await ask({}, { db: connectCounting(functions) });
    expect(outcome).toMatchObject({ kind: 'result', body: { subject: { score: 40 } } });
    expect(functions).toEqual(['alternatives_to', 'alternatives_to']);
    expect(embedder.calls.length - calls).toBe(1);
  });
});

describe('findAlternatives without a working embedder', () => {
  it('works with a stored vector, and is unavailable for other subjects', async () => {
    await storeSubject();
    await store('other', { description: createWord(0.9) });
    await refresh();
    embedder.isDown = true;
    expect(await ask()).toMatchObject({ kind: 'result', body: { count: 1 } });
    const resource = toUrl('unknown');
    expect(await ask({ resource })).toMatchObject({ kind: 'problem', code: 'search-unavailable' });
    embedder.isDown = false;
    expect(await ask({ resource }, { embedder: null })).toMatchObject({ code: 'search-unavailable' });
  });

  it('throws the error of a database that does not respond', async () => {
    const closed = connect({ url: 'http://127.0.0.1:1', key: keys.secret });
    await expect(ask({}, { db: closed })).rejects.toBeInstanceOf(StoreError);
  });
});
