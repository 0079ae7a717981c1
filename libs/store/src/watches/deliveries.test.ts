import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { advanceWatches, cancelWatch, readWatchAttempts, releaseDeliveries } from '../index.ts';
import { failed, openDeliveries, toAttempt } from '../testing/deliveries.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeDestination, openWatches } from '../testing/watches.ts';

const database = useTestDatabase();
const watches = openWatches(database);
const actions = openDeliveries(database);
// Claims of one test must not contain the destinations of another test.
beforeEach(() => database.connection.driver.exec('truncate public.watches cascade'));

describe('claimDeliveries', () => {
  it('returns the entries of a destination in order, one at a time', async () => {
    const { change } = await actions.openWatch([makeDestination('a')]);
    for (const hour of [1, 2, 3]) await change(T0 + hour * HOUR_MS);
    const now = T0 + 4 * HOUR_MS;
    const [first] = await actions.claim(now);
    expect(first).toMatchObject({ attempt: 1, entries: [{ sequence: 2 }] });
    expect(await actions.claim(now, 'other')).toEqual([]);
    await change(now);
    expect(await actions.claim(now, 'other')).toEqual([]);
    if (first) await actions.record([toAttempt(first)], now);
    expect(await actions.deliver(now)).toEqual([[3]]);
    expect(await actions.deliver(now)).toEqual([[4]]);
    expect(await actions.deliver(now)).toEqual([[5]]);
    expect(await actions.deliver(now)).toEqual([]);
  });

  it('returns the same entry again after its lease, and ignores the result of the first worker', async () => {
    const { change, readStates, id } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    const now = T0 + HOUR_MS;
    const [lost] = await actions.claim(now, 'one');
    expect(await actions.claim(now + 59_999, 'two')).toEqual([]);
    const [again] = await actions.claim(now + 60_000, 'two');
    expect(again).toEqual({ ...lost, attempt: 1 });
    if (!lost || !again) throw new Error('Both claims must return the delivery.');
    const nothing = { delivered: 0, retried: 0, limited: 0, exhausted: 0, disabled: 0 };
    expect(await actions.record([toAttempt(lost)], now + 61_000, 'one')).toEqual(nothing);
    expect(await readStates()).toEqual(['2 pending 0']);
    expect(await actions.record([toAttempt(again)], now + 62_000, 'two')).toEqual({
      ...nothing,
      delivered: 1,
    });
    expect(await readStates()).toEqual(['2 delivered 1']);
    expect(await readWatchAttempts(database.db, { watchId: id, limit: 10 })).toHaveLength(1);
  });

  it('accepts a late result if no other worker has claimed the destination', async () => {
    const { change, readStates } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    const [late] = await actions.claim(T0 + HOUR_MS);
    if (late) await actions.record([toAttempt(late)], T0 + 2 * HOUR_MS);
    expect(await readStates()).toEqual(['2 delivered 1']);
    expect(await actions.claim(T0 + 3 * HOUR_MS)).toEqual([]);
  });

  it('returns released deliveries at once', async () => {
    const { change } = await actions.openWatch([makeDestination('a'), makeDestination('b')]);
    await change(T0 + HOUR_MS);
    const now = T0 + HOUR_MS;
    expect(await actions.claim(now, 'one', { limit: 1 })).toHaveLength(1);
    expect(await actions.claim(now, 'two')).toHaveLength(1);
    expect(await releaseDeliveries(database.db, { owner: 'one' })).toBe(1);
    expect(await releaseDeliveries(database.db, { owner: 'one' })).toBe(0);
    expect(await actions.claim(now, 'three')).toHaveLength(1);
  });

  it('returns pending deliveries of a watch that was cancelled or has expired', async () => {
    const cancelled = await actions.openWatch([makeDestination('a')]);
    await cancelled.change(T0 + HOUR_MS);
    await cancelWatch(database.db, { id: cancelled.id, now: T0 + 2 * HOUR_MS });
    expect(await actions.deliver(T0 + 3 * HOUR_MS)).toEqual([[2]]);
    expect(await actions.deliver(T0 + 3 * HOUR_MS)).toEqual([[3]]);
    const expired = await actions.openWatch([makeDestination('a')]);
    await advanceWatches(database.db, { now: T0 + 30 * DAY_MS, limit: 10 });
    expect(await watches.readTypes(expired.id)).toEqual(['created', 'expired']);
    expect(await actions.deliver(T0 + 30 * DAY_MS)).toEqual([[2]]);
  });

  it('limits the destinations whose last attempt took 2 seconds or longer', async () => {
    const labels = ['a', 'b', 'c', 'd'];
    const { change } = await actions.openWatch(labels.map((label) => makeDestination(label)));
    const now = T0 + HOUR_MS;
    await change(now);
    const results = (await actions.claim(now)).map((delivery, index) => {
      expect(delivery.isSlow).toBe(false);
      return toAttempt(delivery, { durationMs: index === 3 ? 1999 : 2000 });
    });
    await actions.record(results, now);

    await change(now + 1);
    const claimed = await actions.claim(now + 1, 'one', { slowLimit: 2 });
    expect(claimed.map(({ isSlow }) => isSlow)).toEqual([true, true, false]);
    expect(await actions.claim(now + 1, 'two', { slowLimit: 0 })).toEqual([]);
    expect(await actions.claim(now + 1, 'two', { slowLimit: 2 })).toMatchObject([{ isSlow: true }]);

    // `limit` applies to slow and fast deliveries together. A self-inflicted failure does not change whether a
    // destination is slow.
    const later = now + 5;
    await actions.record(
      claimed.map((delivery, index) =>
        toAttempt(
          delivery,
          index === 0
            ? { durationMs: 10 }
            : {
                ...failed,
                outcome: 'self-failure',
                durationMs: index === 1 ? 10 : 15_000,
                nextAttemptAt: later,
              },
        ),
      ),
      later,
      'one',
    );
    await change(later);
    expect(await actions.claim(later, 'one', { limit: 2 })).toMatchObject([
      { isSlow: true },
      { isSlow: false },
    ]);
    expect(await actions.claim(later, 'one', { limit: 2 })).toMatchObject([{ isSlow: false }]);
  });
});

describe('a chat', () => {
  it('gets consecutive liveness entries in one message, at most one message a minute', async () => {
    const { toggle, change } = await actions.openWatch([
      makeDestination('hook'),
      makeDestination('chat', 'slack'),
    ]);
    const start = T0 + HOUR_MS;
    const at = (seconds: number): number => start + seconds * 1000;
    await toggle(at(0));
    expect(await actions.deliver(at(0))).toEqual([[2], [2]]);
    for (const seconds of [10, 20, 30]) await toggle(at(seconds));
    // The webhook gets each entry in a separate message.
    expect([
      await actions.deliver(at(31)),
      await actions.deliver(at(32)),
      await actions.deliver(at(33)),
    ]).toEqual([[[3]], [[4]], [[5]]]);
    expect(await actions.deliver(at(59))).toEqual([]);
    expect(await actions.deliver(at(60))).toEqual([[3, 4, 5]]);

    // Liveness entries are merged only if no entry of another type is between them.
    await toggle(at(70));
    await change(at(71));
    await toggle(at(72));
    expect((await actions.deliver(at(73))).map((sequences) => sequences.length)).toEqual([1, 1]);
    expect(await actions.deliver(at(74))).toEqual([[7], [7]]);
    expect(await actions.deliver(at(75))).toEqual([[8]]);
    expect(await actions.deliver(at(132))).toEqual([]);
    expect(await actions.deliver(at(133))).toEqual([[8]]);
  });

  it('counts a failed attempt for each merged entry, and gives up only the entries with all attempts', async () => {
    const { toggle, readStates } = await actions.openWatch([makeDestination('chat', 'discord')]);
    const now = T0 + HOUR_MS;
    await toggle(now);
    const retry = { ...failed, outcome: 'retry' as const, nextAttemptAt: now + MINUTE_MS };
    expect(await actions.deliver(now, retry)).toEqual([[2]]);
    await toggle(now + 1000);
    expect(await actions.deliver(now + 59_000)).toEqual([]);
    expect(await actions.deliver(now + MINUTE_MS, retry)).toEqual([[2, 3]]);
    expect(await readStates()).toEqual(['2 pending 2', '3 pending 1']);
    const [third] = await actions.claim(now + MINUTE_MS);
    expect(third).toMatchObject({ attempt: 3 });
    if (third)
      await actions.record(
        [toAttempt(third, { ...failed, at: now + MINUTE_MS, outcome: 'exhausted' })],
        now + MINUTE_MS,
      );
    expect(await readStates()).toEqual(['2 exhausted 3', '3 pending 2']);
    expect(await actions.deliver(now + MINUTE_MS)).toEqual([[3]]);
  });
});
