import { semanticSearchSchema, TEXT_LIMITS, type SemanticSearch } from '@touchstone/contract';
import { connect, StoreError } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { storeEndpoint } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { useWorld } from '../testing/world.ts';
import { refreshSearch } from './refresh-search.ts';
import type { SearchContext } from './search-context.ts';
import { searchEndpoints } from './search-endpoints.ts';

// The tests of the database function prove the order, the limits and the choice of the matches.

const BASE = 'https://touchstone.example';
const runQuery: SearchContext['runQuery'] = (query) => query();
const world = useWorld();
const embedder = createTopicEmbedder();

async function search(query: string, limit = 25): Promise<SemanticSearch> {
  const { db, now } = world.context;
  await refreshSearch({ db, embedder, now, onChanged: () => Promise.resolve() });
  const outcome = await searchEndpoints({ db, embedder, baseUrl: BASE, runQuery }, { query, limit });
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return semanticSearchSchema.parse(outcome.body);
}

describe('searchEndpoints', () => {
  it('returns the cleaned texts, the score and the page of a match, and repeats the query', async () => {
    const createWord = embedder.createTopic();
    const { db } = world.context;
    const description = `Weather\u202e\u2028${createWord(0.8123)}`;
    const resource = 'https://weather.example.com/now';
    const change = { resource, description, score: 81.5, grade: 'A', errorFlags: 3 } as const;
    const id = await storeEndpoint(db, world.time, change);
    const query = `what is the ${createWord(1)}`;
    const { slug } = (await db.from('snapshots').select('slug').eq('endpoint_id', id).single()).data ?? {};
    // A match has no verdict except its score, grade and confidence.
    const verdict = { score: 81.5, grade: 'A', confidence: 0.9, similarity: 0.8123 };
    const shown = { description: description.replace('\u202e\u2028', ' '), ...verdict };
    const match = { id, resource, ...shown, endpointPage: `${BASE}/endpoint/${slug ?? ''}` };
    expect(await search(query)).toEqual({ query, count: 1, matches: [match] });
    const other = embedder.createTopic()(1);
    expect(await search(other)).toEqual({ query: other, count: 0, matches: [] });
  });

  it('finds endpoints by service name and by the words of their URL, and cuts long descriptions', async () => {
    const createWord = embedder.createTopic();
    const { db } = world.context;
    const store = (path: string, change = {}) =>
      storeEndpoint(db, world.time, { resource: world.toUrl(path), ...change });
    await store(`/v1/${createWord(0.7)}/latest`);
    await store('/named', { serviceName: `The ${createWord(0.8)} company` });
    await store('/long', { description: `${createWord(0.9)} ${'x'.repeat(5000)}` });
    const query = createWord(1);
    expect(await search(query, 2)).toMatchObject({ count: 2 });
    const { matches } = await search(query);
    expect(matches.map(({ similarity, description }) => [similarity, description?.length])).toEqual([
      [0.9, TEXT_LIMITS.matchDescription],
      [0.8, undefined],
      [0.7, undefined],
    ]);
  });

  it('compares a short word also in full words', async () => {
    const calls = embedder.calls.length;
    await search('TTS');
    expect(embedder.calls.slice(calls)).toContainEqual(['TTS', expect.stringMatching(/^text to speech/)]);
  });

  it('is unavailable when the service has no embedder or the embedder does not respond', async () => {
    const down = Object.assign(createTopicEmbedder(), { isDown: true });
    for (const broken of [null, down]) {
      const context = { db: world.context.db, embedder: broken, baseUrl: BASE, runQuery };
      const outcome = await searchEndpoints(context, { query: 'x', limit: 5 });
      expect(outcome).toMatchObject({ kind: 'problem', code: 'search-unavailable' });
    }
  });

  it('throws the error of a database that does not respond', async () => {
    const db = connect({ url: 'http://127.0.0.1:1', key: 'secret' });
    const request = searchEndpoints({ db, embedder, baseUrl: BASE, runQuery }, { query: 'x', limit: 5 });
    await expect(request).rejects.toBeInstanceOf(StoreError);
  });
});
