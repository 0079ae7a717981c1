import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueAgedSnapshots, saveSnapshots, postponeScores, claimScores } from '../index.ts';
import {
  HOUR,
  makeEndpoint,
  MINUTE,
  openTestDatabase,
  makeObservation,
  makeSnapshotRow,
  T0,
  makeTerms,
  type TestDatabase,
} from '../testing/fixtures.ts';

const [one, two, three] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'] as const;
const ALL = [one, two, three];
const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await db.from('endpoints').delete().neq('id', '');
  await db.from('scoring_queue').delete().neq('endpoint_id', '');
  await db.from('observations').delete().neq('endpoint_id', '');
});

const take = (now: number, limit = 500, holdSeconds = 60) =>
  claimScores(database.db, { now, leaseSeconds: holdSeconds, limit });

/** Stores scores of the latest revisions, so that nothing of these endpoints waits any more. */
async function score(now: number, ids: readonly string[] = ALL): Promise<void> {
  for (const id of ids) {
    const revision = (await database.readInput(id, now))?.revision ?? -1;
    await saveSnapshots(database.db, now, [makeSnapshotRow(id, 50, { revision })]);
  }
}

/** Three endpoints, each seen once with terms and scored: from here on only what is new is urgent. */
async function settle(): Promise<void> {
  await database.discover(
    'all',
    T0,
    ALL.map((id) => makeEndpoint(id)),
  );
  await database.record(
    ALL.map((id) => makeObservation(id, T0 + MINUTE, { terms: makeTerms('1000', '0xa') })),
    T0 + MINUTE,
  );
  await score(T0 + 2 * MINUTE);
}

describe('what waits to be scored', () => {
  it('is what was listed or probed, until it is scored', async () => {
    await database.discover('all', T0, [makeEndpoint(one)]);
    expect(await database.readQueue(T0)).toEqual([one]);
    await score(T0, [one]);
    expect(await database.readQueue(T0 + HOUR)).toEqual([]);
    await database.record([makeObservation(one, T0 + HOUR)], T0 + HOUR);
    expect(await database.readQueue(T0 + HOUR)).toEqual([one]);
  });

  it('comes in the order in which it began to wait, and says whether more is left', async () => {
    await settle();
    for (const [i, id] of [two, three, one].entries()) {
      const at = T0 + HOUR + i * MINUTE;
      await database.record([makeObservation(id, at, { terms: makeTerms('1000', '0xa') })], at);
    }
    const now = T0 + 2 * HOUR;
    expect(await take(now, 1)).toEqual({ endpointIds: [two], hasMore: true });
    expect(await take(now, 1)).toEqual({ endpointIds: [three], hasMore: true });
    expect(await take(now, 2)).toEqual({ endpointIds: [one], hasMore: false });
  });

  it.each([
    ['a new price', { terms: makeTerms('2000', '0xa') }],
    ['another wallet', { terms: makeTerms('1000', '0xb') }],
    ['another verdict', { compliance: 'unpayable' }],
  ] as const)('comes first when it is %s, also of an endpoint that waits already', async (_, news) => {
    await settle();
    const same = { terms: makeTerms('1000', '0xa') };
    for (const [i, id] of ALL.entries()) {
      const at = T0 + HOUR + i * MINUTE;
      await database.record([makeObservation(id, at, same)], at);
    }
    expect((await take(T0 + HOUR + 3 * MINUTE, 1, 0)).endpointIds).toEqual([one]);
    await database.record([makeObservation(three, T0 + 2 * HOUR, { ...same, ...news })], T0 + 2 * HOUR);
    expect((await take(T0 + 2 * HOUR, 1)).endpointIds).toEqual([three]);
    // What moves counters afterwards takes nothing of that away.
    await database.record([makeObservation(three, T0 + 2.5 * HOUR, { ...same, ...news })], T0 + 2.5 * HOUR);
    expect((await take(T0 + 2.5 * HOUR, 1)).endpointIds).toEqual([three]);
  });

  it('comes first when it went down, and when it was never seen before', async () => {
    await settle();
    const late = makeEndpoint('dddddddddd');
    await database.discover('later', T0 + HOUR, [late]);
    await score(T0 + HOUR, [late.id]);
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + HOUR, down)),
      T0 + HOUR,
    );
    await database.record([makeObservation(three, T0 + HOUR + MINUTE)], T0 + HOUR + MINUTE);
    await database.record([makeObservation(two, T0 + 1.5 * HOUR, down)], T0 + 1.5 * HOUR);
    await database.record([makeObservation(late.id, T0 + 1.6 * HOUR)], T0 + 1.6 * HOUR);
    const now = T0 + 2 * HOUR;
    const order = [await take(now, 1), await take(now, 1), await take(now, 1), await take(now, 1)];
    expect(order.map(({ endpointIds }) => endpointIds[0])).toEqual([two, late.id, one, three]);
  });

  it('comes first when it is delisted, after what was only described anew', async () => {
    await settle();
    const described = makeEndpoint(one, { description: 'Other words' });
    await database.discover('all', T0 + HOUR, [described, makeEndpoint(two), makeEndpoint(three)]);
    await database.discover('all', T0 + 2 * HOUR, [described, makeEndpoint(two)]);
    await database.discover('all', T0 + 3 * HOUR, [described, makeEndpoint(two)]);
    expect((await take(T0 + 4 * HOUR, 1)).endpointIds).toEqual([three]);
    expect((await take(T0 + 4 * HOUR, 1)).endpointIds).toEqual([one]);
  });
});

describe('what somebody took to score it', () => {
  it('is taken by nobody else until the time for it is over', async () => {
    await settle();
    await database.record([makeObservation(one, T0 + HOUR)], T0 + HOUR);
    expect((await take(T0 + HOUR)).endpointIds).toEqual([one]);
    expect(await take(T0 + HOUR + 59_000)).toEqual({ endpointIds: [], hasMore: false });
    expect((await take(T0 + HOUR + 61_000)).endpointIds).toEqual([one]);
  });

  it('is scored again at once when something was recorded meanwhile', async () => {
    await settle();
    await database.record([makeObservation(one, T0 + HOUR)], T0 + HOUR);
    await take(T0 + HOUR, 500, 3600);
    const read = await database.readInput(one, T0 + HOUR);
    await database.record([makeObservation(one, T0 + HOUR + 10_000)], T0 + HOUR + 10_000);
    await saveSnapshots(database.db, T0 + HOUR, [
      makeSnapshotRow(one, 60, { revision: read?.revision ?? -1 }),
    ]);
    expect(await database.readQueue(T0 + HOUR + 20_000)).toEqual([one]);
  });

  it('is not overwritten by whoever had it before and was too slow', async () => {
    await settle();
    await database.record([makeObservation(one, T0 + HOUR)], T0 + HOUR);
    const slow = await database.readInput(one, T0 + HOUR);
    await database.record([makeObservation(one, T0 + HOUR + MINUTE)], T0 + HOUR + MINUTE);
    await score(T0 + 2 * HOUR, [one]);
    const late = [makeSnapshotRow(one, 10, { revision: slow?.revision ?? -1 }), makeSnapshotRow(two, 20)];
    expect(await saveSnapshots(database.db, T0 + HOUR, late)).toEqual([two]);
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

  it('waits when it is set back, and keeps nobody else waiting', async () => {
    await settle();
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + HOUR)),
      T0 + HOUR,
    );
    expect((await take(T0 + HOUR, 1)).endpointIds).toEqual([one]);
    expect(await postponeScores(database.db, { endpointIds: [one], until: T0 + 3 * HOUR })).toBe(1);
    expect(await database.readQueue(T0 + 2 * HOUR)).toEqual([two]);
    expect(await database.readQueue(T0 + 3 * HOUR)).toContain(one);
  });
});

describe('what is left of a deleted endpoint', () => {
  it('is deleted when its turn comes, and hides nothing that waits behind it', async () => {
    await settle();
    for (const [i, id] of ALL.entries())
      await database.record([makeObservation(id, T0 + HOUR + i)], T0 + HOUR + i);
    await database.db.from('endpoints').delete().in('id', [one, two]);
    const now = T0 + 2 * HOUR;
    expect(await take(now, 2)).toEqual({ endpointIds: [], hasMore: true });
    expect(await take(now, 2)).toEqual({ endpointIds: [three], hasMore: false });
    const { data } = await database.db.from('scoring_queue').select('endpoint_id');
    expect(data).toEqual([{ endpoint_id: three }]);
  });
});

describe('a snapshot that is a day old', () => {
  const aged = (now: number, limit = 500) =>
    queueAgedSnapshots(database.db, { now, maxAgeSeconds: 86_400, limit });

  it('is made again, the oldest first, and counted once', async () => {
    await settle();
    await score(T0 + HOUR, [one]);
    expect(await aged(T0 + 24 * HOUR)).toBe(0);
    const now = T0 + 26 * HOUR;
    expect(await aged(now, 1)).toBe(1);
    expect(await aged(now, 1)).toBe(1);
    expect(await aged(now)).toBe(1);
    expect(await aged(now)).toBe(0);
    const waiting = await database.readQueue(now);
    expect(waiting).toHaveLength(3);
    await score(now, waiting);
    expect(await database.readQueue(now)).toEqual([]);
  });

  it('does not wait behind others that wait already, however many', async () => {
    await settle();
    await score(T0 + HOUR, [three]);
    await database.record(
      [one, two].map((id) => makeObservation(id, T0 + 2 * HOUR)),
      T0 + 2 * HOUR,
    );
    expect(await aged(T0 + 26 * HOUR, 1)).toBe(1);
    expect(await database.readQueue(T0 + 26 * HOUR)).toContain(three);
  });
});
