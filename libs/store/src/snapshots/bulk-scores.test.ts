import { HOUR_MS } from '@touchstone/common';
import { SCORING_VERSION } from '@touchstone/trust';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, readBulkScores, saveSnapshots, StoreError, type SnapshotRow } from '../index.ts';
import {
  makeEndpoint,
  makeSnapshotRow,
  openTestDatabase,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Change extends Partial<Omit<SnapshotRow, 'snapshot'>> {
  readonly errorFlags?: number;
}

async function save(id: string, { errorFlags = 0, ...change }: Change = {}): Promise<string> {
  await database.discover(id, T0, [makeEndpoint(id)]);
  const { snapshot, ...row } = makeSnapshotRow(id, 70.5, change);
  await saveSnapshots(database.db, T0 + HOUR_MS, [{ ...row, snapshot: { ...snapshot, errorFlags } }]);
  return id;
}

/** Inputs that another version of the formula stored. */
const detail = { scoringVersion: '1.0.0', inputs: { everChallenged: true }, facts: {} };

it('returns the public scores by id, and leaves out unknown and private endpoints', async () => {
  const id = await save('bulkaaaaaa');
  const hidden = await save('bulkbbbbbb', { public: false });
  const scores = await readBulkScores(database.db, [hidden, 'unknownnnn', id]);
  expect([...scores.keys()]).toEqual([id]);
  expect(scores.get(id)).toEqual({
    endpointId: id,
    resource: `https://${id}.example.com/`,
    slug: `k-${id}`,
    score: 70.5,
    grade: 'A',
    recommendation: 'proceed',
    confidence: 0.9,
    lastProbedAt: null,
    computedAt: '2026-11-01T01:00:00.000Z',
    errorFlags: 0,
    inputs: null,
  });
  expect(await readBulkScores(database.db, [])).toEqual(new Map());
});

it('has no inputs of another version of the formula', async () => {
  const id = await save('bulkcccccc', { errorFlags: 2, detail });
  expect((await readBulkScores(database.db, [id])).get(id)).toMatchObject({ errorFlags: 2, inputs: null });
});

it('rejects inputs that the current version cannot have stored', async () => {
  const id = await save('bulkdddddd', {
    errorFlags: 1,
    detail: { ...detail, scoringVersion: SCORING_VERSION },
  });
  await expect(readBulkScores(database.db, [id])).rejects.toThrow();
});

it('cannot be read with the publishable key', async () => {
  const db = connect({ url: database.url, key: database.keys.publishable });
  await expect(readBulkScores(db, ['bulkaaaaaa'])).rejects.toThrow(StoreError);
});
