import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeEndpoints } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { embedBatch } from './embed-batch.ts';

const NOW = Date.UTC(2026, 10, 1);
const keys = createKeys();
let database: EmbeddedDatabase;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());

it('ends at its deadline while the embedder does not respond, and keeps the other texts for the next run', async () => {
  const db = connect({ url: database.url, key: keys.secret });
  const embedder = createTopicEmbedder();
  const createWord = embedder.createTopic();
  const changes = Array.from({ length: 20 }, (_, index) => ({
    resource: `https://h${index}.example.com/`,
    description: createWord(0.5),
  }));
  await storeEndpoints(db, NOW, changes);
  const deadline = new AbortController();
  let calls = 0;
  const slow: typeof embedder = {
    ...embedder,
    embed: (texts) => {
      calls += 1;
      if (calls === 1) return embedder.embed(texts);
      deadline.abort();
      return new Promise(() => undefined);
    },
  };
  const context = { db, now: () => NOW };
  expect(await embedBatch({ ...context, embedder: slow }, { signal: deadline.signal })).toEqual({
    ...{ embedded: 16, refused: [], more: true },
    failure: 'The batch reached its time limit before all texts were embedded.',
  });
  expect(await embedBatch({ ...context, embedder })).toMatchObject({ embedded: 4, refused: [] });
});
