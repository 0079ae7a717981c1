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

/**
 * Creates three endpoints that already have payment terms, scores and many probes, so that only later changes are
 * urgent, and the scores after all other changes wait.
 */
async function createScoredEndpoints(): Promise<void> {
  await database.discover('all', T0, ALL);
  await database.record(
    ALL.map((id) => makeObservation(id, T0 + MINUTE_MS, { terms: makeTerms('1000', '0xa') })),
    T0 + MINUTE_MS,
  );
  await database.db.from('endpoint_states').update({ revision: 100 }).in('endpoint_id', ALL);
  await score(T0 + 2 * MINUTE_MS);
}

describe('the scoring queue', () => {
  it('has a new endpoint immediately after each of its first ten changes', async () => {
    await database.discover('all', T0, [one]);
    expect(await database.readQueue(T0)).toEqual([one]);
    await score(T0, [one]);
    for (let probe = 1; probe <= 10; probe += 1) {
      const at = T0 + probe * MINUTE_MS;
      expect(await database.readQueue(at)).toEqual([]);
      await database.observe(one, at);
      expect(await database.readQueue(at)).toEqual([one]);
      await score(at, [one]);
    }
    await database.observe(one, T0 + HOUR_MS);
    expect(await database.readQueue(T0 + HOUR_MS)).toEqual([]);
  });

  it('has an unchanged endpoint four hours after the first probe since its score', async () => {
    await createScoredEndpoints();
    const scoredAt: number[] = [];
    for (let halfHour = 1; halfHour <= 48; halfHour += 1) {
      const at = T0 + (halfHour * HOUR_MS) / 2;
      await database.observe(one, at);
      const queued = await database.readQueue(at);
      if (queued.length > 0) scoredAt.push((at - T0) / HOUR_MS);
      await score(at, queued);
    }
    expect(scoredAt).toEqual([4.5, 9, 13.5, 18, 22.5]);
  });

  it('returns the longest waiting first, and whether more are left', async () => {
    await createScoredEndpoints();
    for (const [i, id] of [two, three, one].entries())
      await database.observe(id, T0 + HOUR_MS + i * MINUTE_MS);
    const now = T0 + 6 * HOUR_MS;
    expect(await claimBatch(now, 1)).toEqual({ endpointIds: [two], hasMore: true });
    expect(await claimBatch(now, 1)).toEqual({ endpointIds: [three], hasMore: true });
    expect(await claimBatch(now, 2)).toEqual({ endpointIds: [one], hasMore: false });
  });

  it.each([
    ['a new price', { terms: makeTerms('2000', '0xa') }],
    ['another wallet', { terms: makeTerms('1000', '0xb') }],
    ['another verdict', { compliance: 'unpayable' }],
  ] as const)('has an endpoint with %s immediately, also if it waits already', async (_, news) => {
    await createScoredEndpoints();
    const same = { terms: makeTerms('1000', '0xa') };
    for (const [i, id] of ALL.entries()) await database.observe(id, T0 + HOUR_MS + i * MINUTE_MS, same);
    await database.observe(three, T0 + 2 * HOUR_MS, { ...same, ...news });
    expect(await claimBatch(T0 + 2 * HOUR_MS)).toEqual({ endpointIds: [three], hasMore: false });
  });

  it('has an endpoint that went down immediately', async () => {
    await createScoredEndpoints();
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + HOUR_MS, DOWN)),
      T0 + HOUR_MS,
    );
    await database.observe(two, T0 + 1.5 * HOUR_MS, DOWN);
    expect(await database.readQueue(T0 + 1.5 * HOUR_MS)).toEqual([two]);
  });

  it('has an endpoint that is up again immediately, so that no page shows a failure that is over', async () => {
    await createScoredEndpoints();
    const blocked = { outcome: 'blocked', vitality: 'neither', compliance: null } as const;
    for (const at of [T0 + HOUR_MS, T0 + 2 * HOUR_MS]) {
      await database.observe(one, at, blocked);
      expect(await database.readQueue(at)).toEqual([]);
      expect(await database.readQueue(at + 4 * HOUR_MS)).toEqual([one]);
      await score(at, [one]);
    }
    await database.observe(one, T0 + 3 * HOUR_MS);
    expect(await database.readQueue(T0 + 3 * HOUR_MS)).toEqual([one]);
  });

  it('has an endpoint that is delisted or has a new description immediately', async () => {
    await createScoredEndpoints();
    for (const id of ALL) await database.observe(id, T0 + HOUR_MS);
    const described = makeEndpoint(one, { description: 'Other words' });
    await database.discover('all', T0 + HOUR_MS, [described, makeEndpoint(two), makeEndpoint(three)]);
    expect(await database.readQueue(T0 + HOUR_MS)).toEqual([one]);
    await database.discover('all', T0 + 2 * HOUR_MS, [described, makeEndpoint(two)]);
    await database.discover('all', T0 + 3 * HOUR_MS, [described, makeEndpoint(two)]);
    expect(await database.readQueue(T0 + 3 * HOUR_MS)).toEqual([one, three]);
  });
});

describe('an endpoint claimed for scoring', () => {
  const DUE = T0 + 5 * HOUR_MS;

  /** Creates endpoints, and queues some of them for DUE with a probe that changes only counters. */
  async function queueForDue(ids: readonly string[]): Promise<void> {
    await createScoredEndpoints();
    const at = T0 + HOUR_MS;
    await database.record(
      ids.map((id) => makeObservation(id, at)),
      at,
    );
  }

  it('cannot be claimed again until its lease expires', async () => {
    await queueForDue([one]);
    expect((await claimBatch(DUE)).endpointIds).toEqual([one]);
    expect(await claimBatch(DUE + 59_000)).toEqual({ endpointIds: [], hasMore: false });
    expect((await claimBatch(DUE + 61_000)).endpointIds).toEqual([one]);
  });

  it.each([
    ['after its lease if a probe during the computation changes only counters', {}, DUE + 60_000],
    [
      'immediately if the price changes during the computation',
      { terms: makeTerms('2000', '0xa') },
      DUE + 10_000,
    ],
  ] as const)('is scored again %s', async (_, news, dueAt) => {
    await queueForDue([one]);
    await claimBatch(DUE);
    const read = await database.readInput(one, DUE);
    await database.observe(one, DUE + 10_000, news);
    await saveSnapshots(database.db, DUE, [makeSnapshotRow(one, 60, { revision: read?.revision ?? -1 })]);
    expect(await database.readQueue(dueAt - 1)).toEqual([]);
    expect(await database.readQueue(dueAt)).toEqual([one]);
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
    await queueForDue([one, two]);
    expect((await claimBatch(DUE, 1)).endpointIds).toEqual([one]);
    const postponed = { endpointIds: [one], now: DUE, until: DUE + 2 * HOUR_MS };
    expect(await postponeScores(database.db, postponed)).toBe(1);
    // Nor is an endpoint postponed that is due again after an urgent change.
    expect(await postponeScores(database.db, { ...postponed, endpointIds: [two] })).toBe(0);
    expect(await database.readQueue(DUE + HOUR_MS)).toEqual([two]);
    expect(await database.readQueue(DUE + 2 * HOUR_MS)).toContain(one);
  });
});

describe('the queue row of a deleted endpoint', () => {
  it('is deleted when it is claimed, and does not block the rows after it', async () => {
    await createScoredEndpoints();
    for (const [i, id] of ALL.entries()) await database.observe(id, T0 + HOUR_MS + i);
    await database.db.from('endpoints').delete().in('id', [one, two]);
    const now = T0 + 6 * HOUR_MS;
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
