import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claimDueEndpoints,
  releaseSlots,
  releaseLeases,
  watchEndpoints,
  type ClaimedEndpoint,
  type Observation,
} from '../index.ts';
import {
  HOUR,
  makeEndpoint,
  MINUTE,
  openTestDatabase,
  makeObservation,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';

const DAY = 24 * HOUR;
const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Claim {
  readonly owner?: string;
  readonly limit?: number;
  readonly leaseSeconds?: number;
  readonly hostLimit?: number;
  readonly hostPerSecond?: number;
  readonly rechecksOnly?: boolean;
}

/** A world of its own in the shared database: its hosts end with `.<name>.test`, and nobody else claims them. */
function world(name: string) {
  const host = (label: string): string => `${label}.${name}.test`;
  const add = (id: string, label = id, at = T0) =>
    database.discover(`${name} ${id}`, at, [
      makeEndpoint(id, { host: host(label), resource: `https://${id}.test/` }),
    ]);
  const claim = (now: number, options: Claim = {}): Promise<readonly ClaimedEndpoint[]> =>
    claimDueEndpoints(database.db, {
      owner: 'w',
      limit: 500,
      leaseSeconds: 60,
      hostSuffix: `.${name}.test`,
      now,
      ...options,
    });
  /** Claims and records every slot from one time to another, as a worker that looks every five minutes. */
  const live = async (from: number, to: number, extra: Partial<Observation> = {}): Promise<number[]> => {
    const probed: number[] = [];
    for (let now = from; now < to; now += 5 * MINUTE) {
      const slots = await claim(now);
      probed.push(...slots.map((slot) => slot.slotAt));
      if (slots.length === 0) continue;
      // Recorded late, so that no miss has a confirming probe.
      await database.record(
        slots.map((slot) => makeObservation(slot.endpointId, now, { slotAt: slot.slotAt, ...extra })),
        now + 2 * MINUTE,
      );
    }
    return probed;
  };
  return { host, add, claim, live };
}

const hours = (times: readonly number[]): number[] => times.map((time) => (time - T0) / HOUR);
const ids = (prefix: string, count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `${prefix}${'abcdefghij'[Math.floor(i / 10)] ?? ''}${'abcdefghij'[i % 10] ?? ''}`,
  );

describe('hosts', () => {
  it('gives no host more than its share of a claim, and takes turns between hosts', async () => {
    const { add, claim } = world('turns');
    for (const id of ids('crowdaaa', 20)) await add(id, 'big');
    for (const id of ids('aloneaaa', 5)) await add(id, id);
    const slots = await claim(T0 + 10 * MINUTE, { limit: 10, hostLimit: 8 });
    // Six hosts for ten slots: four each at most.
    expect(slots.filter((slot) => slot.endpointId.startsWith('alone'))).toHaveLength(5);
    expect(slots.filter((slot) => slot.endpointId.startsWith('crowd'))).toHaveLength(4);
  });

  it('keeps the pace of a host over all claims and workers', async () => {
    const { add, claim } = world('pace');
    for (const id of ids('steadyaa', 12)) await add(id, 'one');
    const at = (seconds: number, owner: string) =>
      claim(T0 + 10 * MINUTE + seconds * 1000, { owner, hostLimit: 4, hostPerSecond: 2, leaseSeconds: 600 });
    expect(await at(0, 'one')).toHaveLength(4);
    expect(await at(1, 'two')).toHaveLength(0);
    expect(await at(2, 'two')).toHaveLength(4);
    expect(await at(3, 'one')).toHaveLength(0);
    expect(await at(4, 'one')).toHaveLength(4);
    expect(await at(6, 'one')).toHaveLength(0);
  });
});

describe('intervals', () => {
  it('asks a watched endpoint every five minutes, and every thirty when nobody watches any more', async () => {
    const { add, live } = world('watched');
    await add('watchedaaa');
    expect(hours(await live(T0, T0 + 2 * HOUR))).toHaveLength(4);
    await watchEndpoints(database.db, ['watchedaaa'], { watched: true, now: T0 + 2 * HOUR });
    const slots = await live(T0 + 2 * HOUR, T0 + 3 * HOUR);
    expect(slots).toHaveLength(11);
    expect(new Set(slots.slice(1).map((slot, i) => slot - (slots[i] ?? 0)))).toEqual(new Set([5 * MINUTE]));
    await watchEndpoints(database.db, ['watchedaaa'], { watched: false, now: T0 + 3 * HOUR });
    expect(await live(T0 + 3 * HOUR, T0 + 5 * HOUR)).toHaveLength(4);
  });

  it('asks what was down for 14 days four times a day, until it answers once', async () => {
    const { add, claim, live } = world('slow');
    const id = 'slowslowaa';
    await add(id);
    // Down without a gap in the watching; the days between need no claims.
    const misses = Array.from({ length: 14 * 24 + 1 }, (_, i) => makeObservation(id, T0 + i * HOUR, down));
    await database.record(misses, T0 + 14 * DAY + HOUR);
    const from = T0 + 14 * DAY + HOUR;
    const slow = await live(from, from + 2 * DAY, down);
    expect(slow).toHaveLength(8);
    expect(new Set(slow.slice(1).map((slot, i) => (slot - (slow[i] ?? 0)) / HOUR))).toEqual(new Set([6]));
    // A slot of the slow lane is one of the regular ones.
    expect(slow.every((slot) => (slot - 10 * MINUTE) % (30 * MINUTE) === 0)).toBe(true);

    const answered = from + 3 * DAY;
    const [slot] = await claim(answered);
    await database.record([makeObservation(id, answered, { slotAt: slot?.slotAt ?? null })], answered);
    expect(await live(answered + 10 * MINUTE, answered + 10 * MINUTE + 2 * HOUR)).toHaveLength(4);
  }, 120_000);
});

describe('a miss', () => {
  const miss = T0 + 10 * MINUTE + 1000;

  it('is looked at once more within a minute, and both probes are stored', async () => {
    const { add, claim } = world('confirm');
    const id = 'confirmaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE);
    expect(slot?.isRecheck).toBe(false);
    await database.record(
      [makeObservation(id, miss, { ...down, slotAt: slot?.slotAt ?? null })],
      miss + 5000,
    );
    expect(await claim(miss + 15_000, { rechecksOnly: true })).toEqual([]);
    const [second] = await claim(miss + 50_000, { rechecksOnly: true });
    expect(second).toMatchObject({ endpointId: id, isRecheck: true });
    const confirmedAt = miss + 51_000;
    await database.record(
      [makeObservation(id, confirmedAt, { ...down, slotAt: second?.slotAt ?? null })],
      confirmedAt,
    );
    expect(await database.readChangeKinds(id)).toEqual(['listed']);

    const { data } = await database.db
      .from('observations')
      .select('is_recheck')
      .eq('endpoint_id', id)
      .order('at');
    expect(data).toEqual([{ is_recheck: false }, { is_recheck: true }]);
    // It is no sample of the schedule, and no miss of an outage that is known is confirmed again.
    expect((await database.readInput(id, T0 + HOUR))?.sums).toMatchObject({ probes: 1, scored: 1, up: 0 });
    const [next] = await claim(T0 + 40 * MINUTE);
    const later = T0 + 40 * MINUTE + 1000;
    await database.record([makeObservation(id, later, { ...down, slotAt: next?.slotAt ?? null })], later);
    expect(await claim(later + 59_000, { rechecksOnly: true })).toEqual([]);
  });

  it('is confirmed by the next slot where nobody looked within minutes', async () => {
    const { add, claim } = world('late');
    const id = 'lateaaaaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE);
    await database.record([makeObservation(id, miss, { ...down, slotAt: slot?.slotAt ?? null })], miss);
    const slots = await claim(T0 + 40 * MINUTE);
    expect(slots).toMatchObject([{ isRecheck: false, slotAt: T0 + 40 * MINUTE }]);
  });

  it('of our own is not confirmed', async () => {
    const { add, claim } = world('ours');
    const id = 'oursaaaaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE);
    const row = makeObservation(id, miss, { ...down, excluded: true, slotAt: slot?.slotAt ?? null });
    await database.record([row], miss);
    expect(await claim(miss + 59_000)).toEqual([]);
  });
});

describe('the cadence', () => {
  const sums = async (id: string, now: number) => {
    const input = await database.readInput(id, now);
    const { slotsDue, slotsProbed, dueSeconds } = input?.sums ?? {};
    return { slotsDue, slotsProbed, dueSeconds };
  };

  it('counts the slots that came due and those that were probed, however the others were lost', async () => {
    const { add, claim, live } = world('cadence');
    const id = 'cadenceaaa';
    await add(id);
    await live(T0, T0 + 2 * HOUR);
    expect(await sums(id, T0 + 2 * HOUR)).toEqual({ slotsDue: 4, slotsProbed: 4, dueSeconds: 7200 });
    // Nobody worked for two hours: five slots are due at the next claim, one of them is probed.
    await live(T0 + 4 * HOUR + 10 * MINUTE, T0 + 4 * HOUR + 15 * MINUTE);
    expect(await sums(id, T0 + 5 * HOUR)).toEqual({ slotsDue: 9, slotsProbed: 5, dueSeconds: 16_200 });
    // A worker died with a slot, and another one took it over after the next had come due.
    await claim(T0 + 4 * HOUR + 40 * MINUTE, { owner: 'dead', leaseSeconds: 3600 });
    await claim(T0 + 5 * HOUR + 10 * MINUTE, { owner: 'dead', leaseSeconds: 1800 });
    await live(T0 + 5 * HOUR + 41 * MINUTE, T0 + 5 * HOUR + 50 * MINUTE);
    expect(await sums(id, T0 + 6 * HOUR)).toEqual({ slotsDue: 12, slotsProbed: 7, dueSeconds: 21_600 });
  });

  it('owes what was given back, and has lost what was let go', async () => {
    const { add, claim, live } = world('back');
    const id = 'givenbacka';
    await add(id);
    const slots = await claim(T0 + 40 * MINUTE, { owner: 'gone' });
    expect(await releaseSlots(database.db, { owner: 'other', slots, requeue: true })).toBe(0);
    expect(await releaseSlots(database.db, { owner: 'gone', slots, requeue: true })).toBe(1);
    expect(hours(await live(T0 + 45 * MINUTE, T0 + 50 * MINUTE))).toEqual([2 / 3]);
    expect(await sums(id, T0 + HOUR)).toEqual({ slotsDue: 2, slotsProbed: 1, dueSeconds: 3600 });

    const held = await claim(T0 + 70 * MINUTE, { owner: 'gone' });
    expect(await releaseSlots(database.db, { owner: 'gone', slots: held, requeue: false })).toBe(1);
    expect(await claim(T0 + 75 * MINUTE)).toEqual([]);
    expect(await sums(id, T0 + 2 * HOUR)).toEqual({ slotsDue: 3, slotsProbed: 1, dueSeconds: 5400 });
    expect(await releaseLeases(database.db, 'gone')).toBe(0);
  });

  it('does not count a probe that failed through our own fault', async () => {
    const { add, live } = world('failed');
    await add('failedaaaa');
    await live(T0, T0 + HOUR, { ...down, excluded: true });
    expect(await sums('failedaaaa', T0 + HOUR)).toEqual({ slotsDue: 2, slotsProbed: 0, dueSeconds: 3600 });
  });
});
