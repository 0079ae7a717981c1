import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelWatch, editWatch, pruneRows, readWatchAttempts } from '../index.ts';
import { failed, openDeliveries, toAttempt } from '../testing/deliveries.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeDestination, openWatches } from '../testing/watches.ts';

const database = useTestDatabase();
const watches = openWatches(database);
const actions = openDeliveries(database);
// Claims of one test must not contain the destinations of another test.
beforeEach(() => database.connection.driver.exec('truncate public.watches cascade'));

describe('recordDeliveries', () => {
  it('retries a failed attempt at its time, and delivers later entries after it', async () => {
    const { change, find, id, readStates } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    await change(T0 + 2 * HOUR_MS);
    const now = T0 + 3 * HOUR_MS;
    const next = now + 5000;
    await actions.deliver(now, {
      ...failed,
      outcome: 'retry',
      nextAttemptAt: next,
      reply: `a\0b\uD800${'c'.repeat(2000)}`,
    });
    expect(await find()).toMatchObject([
      {
        failingSince: now,
        pending: 2,
        lastAttempt: { at: now, httpStatus: 500, error: 'http-500', outcome: 'failed' },
      },
    ]);
    expect(await actions.claim(next - 1)).toEqual([]);
    expect(await actions.deliver(next)).toEqual([[2]]);
    expect(await actions.deliver(next)).toEqual([[3]]);
    expect(await find()).toMatchObject([{ failingSince: null, pending: 0 }]);
    expect(await readStates()).toEqual(['2 delivered 2', '3 delivered 1']);
    const attempts = await readWatchAttempts(database.db, { watchId: id, limit: 10 });
    expect(attempts.map(({ sequence, outcome }) => [sequence, outcome])).toEqual([
      [3, 'delivered'],
      [2, 'delivered'],
      [2, 'failed'],
    ]);
    expect(attempts[2]).toEqual({
      at: now,
      label: 'a',
      channel: 'webhook',
      sequence: 2,
      type: 'price_change',
      durationMs: 12.5,
      phase: 'response',
      httpStatus: 500,
      reply: `a\uFFFDb\uFFFD${'c'.repeat(996)}`,
      error: 'http-500',
      outcome: 'failed',
      nextAttemptAt: next,
    });
    expect(await pruneRows(database.db, { watch_attempts: next }, 10)).toMatchObject({ watch_attempts: 1 });
  });

  it('gives up an exhausted entry, and continues with the next entry at once', async () => {
    const { change, readStates } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    await change(T0 + 2 * HOUR_MS);
    const now = T0 + 3 * HOUR_MS;
    await actions.deliver(now, { ...failed, outcome: 'exhausted' });
    expect(await actions.deliver(now)).toEqual([[3]]);
    expect(await readStates()).toEqual(['2 exhausted 1', '3 delivered 1']);
  });

  it('does not count a self-inflicted failure', async () => {
    const { change, readStates, find, id } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    const now = T0 + HOUR_MS;
    await actions.deliver(now, { ...failed, outcome: 'self-failure', nextAttemptAt: now + 30_000 });
    expect(await readStates()).toEqual(['2 pending 0']);
    expect(await find()).toMatchObject([{ failingSince: null, lastAttempt: null }]);
    expect(await readWatchAttempts(database.db, { watchId: id, limit: 10 })).toEqual([]);
    expect(await actions.claim(now + 29_999)).toEqual([]);
    expect(await actions.claim(now + 30_000)).toMatchObject([{ attempt: 1 }]);
  });

  it('disables a destination after 410, drops its deliveries, and reports it to the other destinations', async () => {
    const { change, find, id, readStates } = await actions.openWatch([
      makeDestination('a'),
      makeDestination('b', 'slack'),
    ]);
    await change(T0 + HOUR_MS);
    await change(T0 + 2 * HOUR_MS);
    const now = T0 + 3 * HOUR_MS;
    const [a, b] = await actions.claim(now);
    if (!a || !b) throw new Error('Both destinations must be due.');
    const gone = toAttempt(a, { ...failed, at: now, httpStatus: 410, outcome: 'gone' });
    expect(await actions.record([toAttempt(b), gone], now)).toEqual({
      delivered: 1,
      retried: 0,
      limited: 0,
      exhausted: 0,
      disabled: 1,
    });
    expect(await find()).toMatchObject([
      { disabledAt: now, disabledReason: 'gone', pending: 0 },
      { disabledAt: null, pending: 2 },
    ]);
    expect((await watches.readLog(id)).at(-1)).toMatchObject({
      sequence: 4,
      type: 'delivery_disabled',
      at: now,
      data: { channel: 'webhook', label: 'a', reason: 'gone' },
    });
    await change(T0 + 4 * HOUR_MS);
    const later = T0 + 5 * HOUR_MS;
    expect([
      await actions.deliver(later),
      await actions.deliver(later),
      await actions.deliver(later),
      await actions.deliver(later),
    ]).toEqual([[[3]], [[4]], [[5]], []]);
    expect(await readStates()).toEqual([
      '2 dropped 1',
      '3 dropped 0',
      '2 delivered 1',
      '3 delivered 1',
      '4 delivered 1',
      '5 delivered 1',
    ]);
  });

  it('disables a destination that has been failing for 120 hours without a success', async () => {
    const { change, find, id } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    const from = T0 + 2 * HOUR_MS;
    const retryAt = async (hours: number) => {
      const now = from + hours * HOUR_MS;
      await actions.deliver(now, { ...failed, outcome: 'retry', nextAttemptAt: now });
    };
    await retryAt(0);
    await actions.deliver(from + HOUR_MS);
    await change(from + 2 * HOUR_MS);
    for (const hours of [3, 33, 63, 93, 122.9]) await retryAt(hours);
    expect(await find()).toMatchObject([{ disabledAt: null, failingSince: from + 3 * HOUR_MS }]);
    await retryAt(123);
    expect(await find()).toMatchObject([{ disabledReason: 'failing', pending: 0 }]);
    expect(await watches.readTypes(id)).toContain('delivery_disabled');
    const [last] = await readWatchAttempts(database.db, { watchId: id, limit: 1 });
    expect(last).toMatchObject({ outcome: 'failed', nextAttemptAt: null });
    await change(from + 130 * HOUR_MS);
    expect(await actions.claim(from + 200 * HOUR_MS)).toEqual([]);
  });

  it('counts only hours with attempts toward the 120 hours', async () => {
    const { change, find, readStates } = await actions.openWatch([makeDestination('a')]);
    await change(T0 + HOUR_MS);
    await actions.deliver(T0 + HOUR_MS, { ...failed, outcome: 'exhausted' });
    expect(await find()).toMatchObject([{ failingSince: T0 + HOUR_MS, pending: 0 }]);
    const now = T0 + HOUR_MS + 10 * DAY_MS;
    await change(now);
    await change(now + 1);
    const retry = { ...failed, outcome: 'retry', nextAttemptAt: now + 5000 } as const;
    expect(await actions.deliver(now, retry)).toEqual([[3]]);
    expect(await find()).toMatchObject([{ disabledAt: null, failingSince: now, pending: 2 }]);
    expect(await actions.deliver(now + 5000)).toEqual([[3]]);
    expect(await readStates()).toEqual(['2 exhausted 1', '3 delivered 2', '4 pending 0']);
  });

  it('begins the 120 hours again after more than 30 hours without an attempt', async () => {
    const { change, find } = await actions.openWatch([makeDestination('a')]);
    const from = T0 + HOUR_MS;
    await change(from);
    const readStart = async (at: number) => {
      await actions.deliver(at, { ...failed, outcome: 'retry', nextAttemptAt: at });
      const [destination] = await find();
      return destination?.failingSince;
    };
    expect(await readStart(from)).toBe(from);
    const end = from + 30 * HOUR_MS;
    expect(await readStart(end)).toBe(from);
    // A self-inflicted failure does not count as an attempt.
    await actions.deliver(end + HOUR_MS, { ...failed, outcome: 'self-failure', nextAttemptAt: end });
    expect(await readStart(end + 30 * HOUR_MS + 1)).toBe(end + 30 * HOUR_MS + 1);
  });
});

describe('editWatch', () => {
  it('keeps destinations with their queue, and removes the others with theirs', async () => {
    const { change, find, id } = await actions.openWatch([
      makeDestination('kept'),
      makeDestination('removed'),
      makeDestination('chat', 'slack'),
    ]);
    await change(T0 + HOUR_MS);
    const [kept, , chat] = await find();
    const now = T0 + 2 * HOUR_MS;
    const claimed = await actions.claim(now);
    const webhooks = [{ id: kept?.id ?? 0 }, makeDestination('added')];
    const edit = { id, webhooks, events: ['price_change'], changed: ['delivery', 'events'], now } as const;
    expect(await editWatch(database.db, edit)).toBe(true);
    const after = await find();
    expect(after.map(({ label, pending }) => [label, pending])).toEqual([
      ['kept', 1],
      ['chat', 1],
      ['added', 0],
    ]);
    expect(after.slice(0, 2).map((destination) => destination.id)).toEqual([kept?.id, chat?.id]);
    expect((await watches.readLog(id)).at(-1)).toMatchObject({
      type: 'edited',
      data: { changed: ['delivery', 'events'] },
    });
    expect(await watches.find(id)).toMatchObject({ events: ['price_change'], livenessSensitivityN: 1 });
    // The result of the removed destination is ignored.
    expect(
      await actions.record(
        claimed.map((delivery) => toAttempt(delivery)),
        now,
      ),
    ).toMatchObject({ delivered: 2 });
    await change(now);
    expect(await actions.claim(now)).toHaveLength(3);
    const { data } = await database.db.from('watch_destinations').select('label').is('url', null);
    expect(data).toEqual([{ label: 'removed' }]);
  });

  it('removes all chats with an empty list, and logs nothing without a change', async () => {
    const { find, id } = await actions.openWatch([
      makeDestination('hook'),
      makeDestination('chat', 'discord'),
    ]);
    const edit = { id, chats: [], livenessSensitivityN: 9, changed: [], now: T0 };
    expect(await editWatch(database.db, edit)).toBe(true);
    expect((await find()).map(({ label }) => label)).toEqual(['hook']);
    expect(await watches.find(id)).toMatchObject({ livenessSensitivityN: 9 });
    expect(await watches.readTypes(id)).toEqual(['created']);
  });

  it('refuses unknown, pending and cancelled watches', async () => {
    const { id, endpointId } = await actions.openWatch([]);
    const edit = (watchId: string) => editWatch(database.db, { id: watchId, changed: ['events'], now: T0 });
    expect(await edit('w_unknown')).toBe(false);
    expect(await edit((await watches.prepare(endpointId)).id)).toBe(false);
    await cancelWatch(database.db, { id, now: T0 });
    expect(await edit(id)).toBe(false);
  });
});
