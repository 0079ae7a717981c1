import { describe, expect, it } from 'vitest';
import { readAlternatives } from '../index.ts';
import { makeId, useTestDatabase } from '../testing/fixtures.ts';
import { MODEL, storeEndpoints, type SearchableEndpoint } from '../testing/search.ts';

const database = useTestDatabase();

describe('alternatives', () => {
  const subject = { id: makeId(1), score: 70.1, vector: [1], snapshot: { host: 'subject.example' } };
  const read = (minScoreDelta = 5) =>
    readAlternatives(database.db, { model: MODEL, endpointId: subject.id, minScoreDelta, limit: 5 });

  it('use the stored embedding, job and score of the subject', async () => {
    await storeEndpoints(database, [
      subject,
      { id: makeId(2), score: 75.1, vector: [1] },
      { id: makeId(3), score: 75, vector: [1] },
      { id: makeId(4), score: 99, vector: [1], job: 'other job' },
      { id: makeId(5), score: 99, vector: [1], job: null },
    ]);
    expect(await read()).toEqual({
      subject: {
        endpointId: makeId(1),
        slug: `k-${makeId(1)}`,
        resource: `https://${makeId(1)}.example.com/`,
        serviceName: null,
        description: null,
        score: 70.1,
        grade: 'A',
        recommendation: 'proceed',
      },
      isEmbedded: true,
      isComplete: true,
      withinDelta: 2,
      alternatives: [
        {
          endpointId: makeId(2),
          slug: `k-${makeId(2)}`,
          resource: `https://${makeId(2)}.example.com/`,
          score: 75.1,
          grade: 'A',
          recommendation: 'proceed',
          confidence: 0.9,
          similarity: 1,
          amountUsd: '0.010000',
          network: 'eip155:8453',
        },
      ],
    });
  });

  it.each<[string, Partial<SearchableEndpoint>, object]>([
    ['without an embedding', { vector: null }, { subject: { endpointId: makeId(1) }, isEmbedded: false }],
    ['without a job', { job: null }, { subject: { endpointId: makeId(1) }, isEmbedded: true }],
    ['outside the public catalog', { public: false }, { subject: null, isEmbedded: false }],
  ])('are empty for a subject %s', async (_, change, expected) => {
    await storeEndpoints(database, [
      { ...subject, ...change },
      { id: makeId(2), score: 99, vector: [1] },
      { id: makeId(3), score: 99, vector: [1], job: null },
    ]);
    expect(await read(0)).toMatchObject({ ...expected, withinDelta: 0, alternatives: [] });
  });
});
