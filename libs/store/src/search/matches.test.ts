import { GRADES } from '@touchstone/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAlternatives, searchByEmbedding } from '../index.ts';
import { useTestDatabase, makeId } from '../testing/fixtures.ts';
import {
  addEndpoints,
  makeVector,
  MODEL,
  SCANS,
  selectScan,
  changeFunction,
  storeEndpoints,
  type SearchableEndpoint,
} from '../testing/search.ts';

const database = useTestDatabase();

const search = async (vector: readonly number[], limit: number) =>
  (await searchByEmbedding(database.db, { model: MODEL, embedding: makeVector(vector), limit })).matches;
const SUBJECT = { id: 'subjecttt2', score: 0, snapshot: { host: 'subject.example' } };
/** Stores a subject with the score 0, and returns its alternatives. */
async function findAlternatives(vector: readonly number[], limit: number, minScoreDelta = 5) {
  await addEndpoints(database, [{ ...SUBJECT, vector }]);
  return readAlternatives(database.db, { model: MODEL, endpointId: SUBJECT.id, minScoreDelta, limit });
}
const listIds = (matches: readonly { readonly endpointId: string }[]): readonly string[] =>
  matches.map((match) => match.endpointId);

/**
 * Vectors of small integers, because their products are exact in single precision. Many of their similarities are
 * equal.
 */
const vectors = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 })
  .filter((vector) => vector.some((n) => n > 0));
const endpoints = fc
  .array(
    fc.record({
      score: fc.constantFrom(20, 40, 40.1, 70, 99.9),
      public: fc.constantFrom(true, true, true, false),
      text: fc.constantFrom('shared', 'common', undefined, undefined, undefined, undefined),
      described: fc.boolean(),
      vector: fc.oneof({ weight: 9, arbitrary: vectors }, { weight: 1, arbitrary: fc.constant(null) }),
      job: fc.constantFrom('job', 'job', 'job', 'other job', null),
      snapshot: fc.record({
        grade: fc.constantFrom(...GRADES),
        recommendation: fc.constantFrom('proceed', 'caution', 'avoid'),
        host: fc.constantFrom('subject.example', 'other.example', 'third.example'),
        listingStatus: fc.constantFrom('listed', 'listed', 'listed', 'delisted'),
      }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((given) => {
    const byText = new Map(given.map((one, i) => [one.text ?? i, one]));
    return given.map(({ text, ...one }, i): SearchableEndpoint & typeof one => {
      const { described, vector, job } = byText.get(text ?? i) ?? one;
      return { ...one, described, vector, job, id: makeId(i), ...(text === undefined ? {} : { text }) };
    });
  });
type Generated = Exclude<ReturnType<typeof endpoints.generate>['value'], undefined>[number];

/** Returns the similarity in ten-thousandths. */
function computeSimilarity(one: readonly number[], other: readonly number[]): number {
  const dot = one.reduce((sum, n, i) => sum + n * (other[i] ?? 0), 0);
  return Math.round(1e4 * (1 - (1 - dot / Math.sqrt(sumSquares(one) * sumSquares(other)))));
}
const sumSquares = (vector: readonly number[]): number => vector.reduce((sum, n) => sum + n * n, 0);

/** Keeps the first endpoint of each text of a host. */
function keepFirst<T extends Generated>(ranked: readonly T[]): readonly T[] {
  const toKey = ({ id, text = id, snapshot }: T): string => `${snapshot.host} ${text}`;
  return [...Map.groupBy(ranked, toKey).values()].flatMap(([first]) => first ?? []);
}

/** Ranks endpoints by the specified order, without the database. */
function rank(given: readonly Generated[], vector: readonly number[], minSimilarity: number) {
  const getScore = ({ score, snapshot }: Generated): number => (snapshot.grade === '?' ? -1 : score);
  return given
    .filter((one) => one.public && one.snapshot.listingStatus === 'listed')
    .flatMap((one) => (one.vector ? [{ ...one, similarity: computeSimilarity(one.vector, vector) }] : []))
    .filter((one) => one.similarity >= minSimilarity)
    .sort(
      (a, b) =>
        Math.floor(b.similarity / 100) - Math.floor(a.similarity / 100) ||
        getScore(b) - getScore(a) ||
        Number(b.described) - Number(a.described) ||
        (a.id < b.id ? -1 : 1),
    );
}

describe.each(SCANS)('a search by embedding (%s)', (scan) => {
  beforeAll(() => selectScan(database, scan));

  it('ranks any endpoints as the specification says', async () => {
    await fc.assert(
      fc.asyncProperty(endpoints, vectors, fc.integer({ min: 1, max: 30 }), async (given, vector, limit) => {
        await storeEndpoints(database, given);
        expect((await search(vector, limit)).map((match) => [match.endpointId, match.similarity])).toEqual(
          keepFirst(rank(given, vector, 5000))
            .slice(0, limit)
            .map((one) => [one.id, one.similarity / 1e4]),
        );
        const better = rank(given, vector, 4000).filter(
          ({ score, snapshot, job }) =>
            job === 'job' &&
            snapshot.host !== SUBJECT.snapshot.host &&
            snapshot.recommendation !== 'avoid' &&
            snapshot.grade !== '?' &&
            score >= 40,
        );
        const { alternatives } = await findAlternatives(vector, limit, 40);
        expect(listIds(alternatives)).toEqual(
          keepFirst(better)
            .slice(0, limit)
            .map(({ id }) => id),
        );
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('is complete when hundreds of the nearest texts are filtered out', async () => {
    const excluded = [
      { host: SUBJECT.snapshot.host },
      { recommendation: 'avoid' },
      { grade: '?' },
      { listingStatus: 'delisted' },
    ] as const;
    const near = Array.from({ length: 240 }, (_, i) => ({
      id: makeId(i),
      score: 90,
      vector: [1000, i % 60, Math.floor(i / 60)],
      snapshot: excluded[i % 4] ?? {},
    }));
    // More than `MAX_WITHIN_DELTA`, so a search with the lowest score finds none of the alternatives.
    const low = Array.from({ length: 120 }, (_, i) => ({
      id: makeId(1000 + i),
      score: 4.9,
      vector: [1000, 100 + i],
    }));
    const far = Array.from({ length: 7 }, (_, i) => ({
      id: makeId(2000 + i),
      score: 5,
      vector: [1000, 700 + i],
    }));
    await storeEndpoints(database, [...near, ...low, ...far]);
    const { alternatives } = await findAlternatives([1], 10);
    expect(listIds(alternatives)).toEqual(far.map(({ id }) => id));
  });

  it('ranks all texts of a percentage point, however many there are', async () => {
    const same = Array.from({ length: 150 }, (_, i) => ({
      id: makeId(i),
      score: i / 2,
      vector: [10_000, 2100 + (i % 30), i / 30],
    }));
    await storeEndpoints(database, same);
    expect(listIds(await search([1], 3))).toEqual([149, 148, 147].map(makeId));
  });

  it('finds the best endpoints of a text that many share', async () => {
    const shared = { text: 'shared', vector: [10] };
    const many = Array.from({ length: 60 }, (_, i) => ({ id: makeId(i), score: i, ...shared }));
    const other = { id: makeId(9000), score: 1, vector: [10, 5] };
    await storeEndpoints(database, [...many, other]);
    expect(listIds(await search([10], 3))).toEqual([59, 58, 57].map(makeId));
    expect(listIds((await findAlternatives([10], 2, 58)).alternatives)).toEqual([59, 58].map(makeId));
  });

  it('finds alternatives behind more texts of the same host than are read in steps', async () => {
    // With the original limits, the test would need more than 2,000 possible alternatives and 6,400 nearer texts.
    const limits = { '801': '101', '> 800': '> 100', '6400': '400' };
    const undo = await changeFunction(database, 'internal.find_neighbors', limits);
    const near = Array.from({ length: 450 }, (_, i) => ({
      id: makeId(i),
      score: 90,
      vector: [1000, i % 30, i / 30],
      snapshot: { host: SUBJECT.snapshot.host },
    }));
    const far = { id: makeId(1000), score: 80, vector: [700, 700] };
    await storeEndpoints(database, [...near, far]);
    const { alternatives } = await findAlternatives([1], 10);
    expect(listIds(alternatives)).toEqual([far.id]);
    await undo();
  });

  it('counts the better of the similarities to a query and to its expansion', async () => {
    await storeEndpoints(database, [
      { id: makeId(1), score: 10, vector: [4, 3] },
      { id: makeId(2), score: 20, vector: [3, 4] },
      { id: makeId(3), score: 30, vector: [1] },
      { id: makeId(4), score: 90, vector: [0, 0, 1] },
    ]);
    const query = { model: MODEL, embedding: makeVector([1]), expansion: makeVector([0, 1]) };
    const found = async (limit: number) =>
      (await searchByEmbedding(database.db, { ...query, limit })).matches.map((match) => [
        match.endpointId,
        match.similarity,
      ]);
    const all = [
      [makeId(3), 1],
      [makeId(2), 0.8],
      [makeId(1), 0.8],
    ];
    expect(await found(5)).toEqual(all);
    expect(await found(2)).toEqual(all.slice(0, 2));
  });

  it('compares only embeddings of one vector space', async () => {
    await storeEndpoints(database, [{ id: makeId(1), vector: [1] }]);
    expect(await search([1], 5)).toHaveLength(1);
    const query = { embedding: makeVector([1]), limit: 5, model: 'other/space' };
    expect(await searchByEmbedding(database.db, query)).toEqual({ isComplete: false, matches: [] });
  });
});

describe('a match', () => {
  it('has a confidence but no verdict, and no score with the grade ?', async () => {
    await storeEndpoints(database, [
      {
        id: makeId(1),
        score: 61.5,
        vector: [3, 4],
        snapshot: { grade: 'C', recommendation: 'avoid', description: 'Text' },
      },
      { id: makeId(2), score: 99, vector: [3, 4], snapshot: { grade: '?' } },
    ]);
    expect(await search([1], 5)).toEqual([
      {
        endpointId: makeId(1),
        slug: `k-${makeId(1)}`,
        resource: `https://${makeId(1)}.example.com/`,
        score: 61.5,
        grade: 'C',
        confidence: 0.9,
        similarity: 0.6,
        description: 'Text',
      },
      expect.objectContaining({ ...{ endpointId: makeId(2), score: null, grade: null }, confidence: null }),
    ]);
  });

  it('has whole percentage points without binary rounding errors', async () => {
    // In double precision, 100 * 0.57 is below 57, so 0.57 would be ranked below 0.5799.
    await storeEndpoints(database, [
      { id: makeId(1), score: 90, vector: [57, Math.sqrt(100 ** 2 - 57 ** 2)] },
      { id: makeId(2), score: 80, vector: [57.9, Math.sqrt(100 ** 2 - 57.9 ** 2)] },
    ]);
    expect((await search([1], 5)).map((match) => [match.endpointId, match.similarity])).toEqual([
      [makeId(1), 0.57],
      [makeId(2), 0.579],
    ]);
  });
});
