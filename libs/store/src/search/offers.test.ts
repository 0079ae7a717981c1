import { describe, expect, it } from 'vitest';
import { readAlternatives, searchByEmbedding } from '../index.ts';
import { makeId, useTestDatabase } from '../testing/fixtures.ts';
import {
  addEndpoints,
  makeVector,
  MODEL,
  storeEndpoints,
  type SearchableEndpoint,
} from '../testing/search.ts';

const database = useTestDatabase();
const query = { model: MODEL, embedding: makeVector([1]) };
const search = async (limit: number) => (await searchByEmbedding(database.db, { ...query, limit })).matches;
const findAlternatives = async (limit: number) => {
  const endpointId = 'subjecttt2';
  await addEndpoints(database, [
    { id: endpointId, score: 0, vector: [1], snapshot: { host: 'subject.example' } },
  ]);
  return (await readAlternatives(database.db, { model: MODEL, endpointId, minScoreDelta: 5, limit }))
    .alternatives;
};

describe('the offers of one host', () => {
  const offer = (n: number, description: string | null, extra: Partial<SearchableEndpoint> = {}) => ({
    ...{ id: makeId(n), score: 50 + n, vector: [1], described: description !== null, ...extra },
    snapshot: { host: 'one.example', description, ...extra.snapshot },
  });
  const other = { host: 'two.example' };

  it.each<
    [name: string, endpoints: readonly SearchableEndpoint[], expected: readonly [n: number, more: number][]]
  >([
    ['are one if they have one text', [1, 2, 3].map((n) => offer(n, null, { text: 'same' })), [[3, 2]]],
    [
      'are one if only numbers, case, punctuation and symbols differ',
      ['Forecast of 10 days', '🚀 forecast of 7 DAYS!', 'Forecast — of days (2)'].map((text, n) =>
        offer(n, text),
      ),
      [[2, 2]],
    ],
    [
      'stay if their words differ',
      [offer(1, 'Balance of a wallet'), offer(2, 'Balance of a token')],
      [
        [2, 0],
        [1, 0],
      ],
    ],
    [
      'stay if their words have another script',
      [offer(1, '天気'), offer(2, '株価')],
      [
        [2, 0],
        [1, 0],
      ],
    ],
    [
      'stay beside the same description of another host',
      [offer(1, 'Forecast'), offer(2, 'Forecast'), offer(3, 'Forecast', { snapshot: other })],
      [
        [3, 0],
        [2, 1],
      ],
    ],
    [
      'are represented by the most similar, and delisted endpoints are not counted',
      [
        offer(1, 'Forecast'),
        offer(9, 'Forecast 2', { vector: [4, 3] }),
        offer(8, 'Forecast 3', { snapshot: { listingStatus: 'delisted' } }),
      ],
      [[1, 1]],
    ],
  ])('%s', async (...[, endpoints, expected]) => {
    await storeEndpoints(database, endpoints);
    const found = expected.map(([n, moreOnHost]) => ({ endpointId: makeId(n), moreOnHost }));
    expect(await search(25)).toMatchObject(found);
    expect(await findAlternatives(25)).toMatchObject(found);
  });

  it('are read until the result is full of other offers', async () => {
    const copies = Array.from({ length: 150 }, (_, n) => offer(n, `Forecast ${String(n)}`, { score: 90 }));
    const far = offer(200, 'Tides', { vector: [4, 3], score: 10 });
    await storeEndpoints(database, [...copies, far]);
    expect(await search(2)).toMatchObject([{ moreOnHost: 149 }, { endpointId: makeId(200) }]);
  });
});
