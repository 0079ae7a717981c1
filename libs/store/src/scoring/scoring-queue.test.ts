import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { queueAgedSnapshots, saveSnapshots, postponeScores, claimScores } from '../index.ts';
import {
  makeEndpoint,
  useTestDatabase,
  makeObservation,
  makeSnapshotRow,
  T0,
  makeTerms,
  DOWN,
} from '../testing/fixtures.ts';

const [one, two, three] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'] as const;
const ALL = [one, two, three];

const database = useTestDatabase();
beforeEach(async () => {
  const { db } = database;
  await db.from('endpoints').delete().neq('id', '');
  await db.from('scoring_queue').delete().neq('endpoint_id', '');
  await db.from('observations').delete().neq('endpoint_id', '');
});

const claimBatch = (now: number, limit = 500, leaseSeconds = 60) =>
  claimScores(database.db, { now, leaseSeconds, limit });

/** Stores a score for the latest revision of each endpoint, which removes the endpoints from the queue. */
async function score(now: number, ids: readonly string[] = ALL): Promise<void> {
  for (const id of ids) {
    const revision = (await database.readInput(id, now))?.revision ?? -1;
    await saveSnapshots(database.db, now, [makeSnapshotRow(id, 50, { revision })]);
  }
}

/** Creates three endpoints that already have payment terms and scores, so that only later changes are urgent. */
async function createScoredEndpoints(): Promise<void> {
  await database.discover('all', T0, ALL);
  await database.record(
    ALL.map((id) => makeObservation(id, T0 + MINUTE_MS, { terms: makeTerms('1000', '0xa') })),
    T0 + MINUTE_MS,
  );
  await score(T0 + 2 * MINUTE_MS);
}

describe('the scoring queue', () => {
  it('has listed and probed endpoints until they are scored', async () => {
    await database.discover('all', T0, [one]);
    expect(await database.readQueue(T0)).toEqual([one]);
    await score(T0, [one]);
    expect(await database.readQueue(T0 + HOUR_MS)).toEqual([]);
    await database.observe(one, T0 + HOUR_MS);
    expect(await database.readQueue(T0 + HOUR_MS)).toEqual([one]);
  });

  it('returns the longest waiting first, and whether more are left', async () => {
    await createScoredEndpoints();
    for (const [i, id] of [two, three, one].entries()) {
      const at = T0 + HOUR_MS + i * MINUTE_MS;
      await database.observe(id, at, { terms: makeTerms('1000', '0xa') });
    }
    const now = T0 + 2 * HOUR_MS;
    expect(await claimBatch(now, 1)).toEqual({ endpointIds: [two], hasMore: true });
    expect(await claimBatch(now, 1)).toEqual({ endpointIds: [three], hasMore: true });
    expect(await claimBatch(now, 2)).toEqual({ endpointIds: [one], hasMore: false });
  });

  it.each([
    ['a new price', { terms: makeTerms('2000', '0xa') }],
    ['another wallet', { terms: makeTerms('1000', '0xb') }],
    ['another verdict', { compliance: 'unpayable' }],
  ] as const)('comes first when it is %s, also of an endpoint that waits already', async (_, news) => {
    await createScoredEndpoints();
    const same = { terms: makeTerms('1000', '0xa') };
    for (const [i, id] of ALL.entries()) {
      const at = T0 + HOUR_MS + i * MINUTE_MS;
      await database.observe(id, at, same);
    }
    expect((await claimBatch(T0 + HOUR_MS + 3 * MINUTE_MS, 1, 0)).endpointIds).toEqual([one]);
    await database.observe(three, T0 + 2 * HOUR_MS, { ...same, ...news });
    expect((await claimBatch(T0 + 2 * HOUR_MS, 1)).endpointIds).toEqual([three]);
    // The next observation only updates counters. The endpoint must stay urgent.
    await database.observe(three, T0 + 2.5 * HOUR_MS, { ...same, ...news });
    expect((await claimBatch(T0 + 2.5 * HOUR_MS, 1)).endpointIds).toEqual([three]);
  });

  it('returns endpoints that went down or are new first', async () => {
    await createScoredEndpoints();
    const late = makeEndpoint('dddddddddd');
    await database.discover('later', T0 + HOUR_MS, [late]);
    await score(T0 + HOUR_MS, [late.id]);
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + HOUR_MS, DOWN)),
      T0 + HOUR_MS,
    );
    await database.observe(three, T0 + HOUR_MS + MINUTE_MS);
    await database.observe(two, T0 + 1.5 * HOUR_MS, DOWN);
    await database.observe(late.id, T0 + 1.6 * HOUR_MS);
    const now = T0 + 2 * HOUR_MS;
    const order = [
      await claimBatch(now, 1),
      await claimBatch(now, 1),
      await claimBatch(now, 1),
      await claimBatch(now, 1),
    ];
    expect(order.map(({ endpointIds }) => endpointIds[0])).toEqual([two, late.id, one, three]);
  });

  it('returns delisted endpoints before those with a new description', async () => {
    await createScoredEndpoints();
    const described = makeEndpoint(one, { description: 'Other words' });
    await database.discover('all', T0 + HOUR_MS, [described, makeEndpoint(two), makeEndpoint(three)]);
    await database.discover('all', T0 + 2 * HOUR_MS, [described, makeEndpoint(two)]);
    await database.discover('all', T0 + 3 * HOUR_MS, [described, makeEndpoint(two)]);
    expect((await claimBatch(T0 + 4 * HOUR_MS, 1)).endpointIds).toEqual([three]);
    expect((await claimBatch(T0 + 4 * HOUR_MS, 1)).endpointIds).toEqual([one]);
  });
});

describe('an endpoint claimed for scoring', () => {
  it('cannot be claimed again until its lease expires', async () => {
    await createScoredEndpoints();
    await database.observe(one, T0 + HOUR_MS);
    expect((await claimBatch(T0 + HOUR_MS)).endpointIds).toEqual([one]);
    expect(await claimBatch(T0 + HOUR_MS + 59_000)).toEqual({ endpointIds: [], hasMore: false });
    expect((await claimBatch(T0 + HOUR_MS + 61_000)).endpointIds).toEqual([one]);
  });

  it('is scored again at once after an observation during the computation', async () => {
    await createScoredEndpoints();
    await database.observe(one, T0 + HOUR_MS);
    await claimBatch(T0 + HOUR_MS, 500, 3600);
    const read = await database.readInput(one, T0 + HOUR_MS);
    await database.observe(one, T0 + HOUR_MS + 10_000);
    await saveSnapshots(database.db, T0 + HOUR_MS, [
      makeSnapshotRow(one, 60, { revision: read?.revision ?? -1 }),
    ]);
    expect(await database.readQueue(T0 + HOUR_MS + 20_000)).toEqual([one]);
  });

  it('is not overwritten by a slower earlier worker', async () => {
    await createScoredEndpoints();
    await database.observe(one, T0 + HOUR_MS);
    const slow = await database.readInput(one, T0 + HOUR_MS);
    await database.observe(one, T0 + HOUR_MS + MINUTE_MS);
    await score(T0 + 2 * HOUR_MS, [one]);
    const late = [makeSnapshotRow(one, 10, { revision: slow?.revision ?? -1 }), makeSnapshotRow(two, 20)];
    expect(await saveSnapshots(database.db, T0 + HOUR_MS, late)).toEqual([two]);
    const { data } = await database.db
      .from('snapshots')
      .select('endpoint_id, score')
      .in('endpoint_id', [one, two])
      .order('endpoint_id');
    expect(data).toEqual([
      { endpoint_id: one, score: 50 },
      { endpoint_id: two, score: 20 },
    ]);
  });

  it('waits after it is postponed, and does not block others', async () => {
    await createScoredEndpoints();
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + HOUR_MS)),
      T0 + HOUR_MS,
    );
    expect((await claimBatch(T0 + HOUR_MS, 1)).endpointIds).toEqual([one]);
    expect(await postponeScores(database.db, { endpointIds: [one], until: T0 + 3 * HOUR_MS })).toBe(1);
    expect(await database.readQueue(T0 + 2 * HOUR_MS)).toEqual([two]);
    expect(await database.readQueue(T0 + 3 * HOUR_MS)).toContain(one);
  });
});

describe('the queue row of a deleted endpoint', () => {
  it('is deleted when it is claimed, and does not block the rows after it', async () => {
    await createScoredEndpoints();
    for (const [i, id] of ALL.entries()) await database.observe(id, T0 + HOUR_MS + i);
    await database.db.from('endpoints').delete().in('id', [one, two]);
    const now = T0 + 2 * HOUR_MS;
    expect(await claimBatch(now, 2)).toEqual({ endpointIds: [], hasMore: true });
    expect(await claimBatch(now, 2)).toEqual({ endpointIds: [three], hasMore: false });
    const { data } = await database.db.from('scoring_queue').select('endpoint_id');
    expect(data).toEqual([{ endpoint_id: three }]);
  });
});

describe('a snapshot that is a day old', () => {
  const aged = (now: number, limit = 500) =>
    queueAgedSnapshots(database.db, { now, maxAgeSeconds: 86_400, limit });

  it('is queued, the oldest first, and counted once', async () => {
    await createScoredEndpoints();
    await score(T0 + HOUR_MS, [one]);
    expect(await aged(T0 + 24 * HOUR_MS)).toBe(0);
    const now = T0 + 26 * HOUR_MS;
    expect(await aged(now, 1)).toBe(1);
    expect(await aged(now, 1)).toBe(1);
    expect(await aged(now)).toBe(1);
    expect(await aged(now)).toBe(0);
    const waiting = await database.readQueue(now);
    expect(waiting).toHaveLength(3);
    await score(now, waiting);
    expect(await database.readQueue(now)).toEqual([]);
  });

  it('is queued even if many others wait already', async () => {
    await createScoredEndpoints();
    await score(T0 + HOUR_MS, [three]);
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + 2 * HOUR_MS)),
      T0 + 2 * HOUR_MS,
    );
    expect(await aged(T0 + 26 * HOUR_MS, 1)).toBe(1);
    expect(await database.readQueue(T0 + 26 * HOUR_MS)).toContain(three);
  });
});
