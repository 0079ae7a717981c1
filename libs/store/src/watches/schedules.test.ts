import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceWatches, cancelWatch, expireAdoptions } from '../index.ts';
import { makeObservation, openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { openHosts } from '../testing/hosts.ts';
import { openWatches } from '../testing/watches.ts';

const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
let database: TestDatabase;
let watches: ReturnType<typeof openWatches>;
beforeAll(async () => {
  database = await openTestDatabase();
  watches = openWatches(database);
});
afterAll(() => database.close());

const cancel = (id: string, now: number) => cancelWatch(database.db, { id, now });
const advance = (now: number) => advanceWatches(database.db, { now, limit: 100 });
/** Returns the intervals between slots in minutes, each once. */
const toIntervals = (slots: readonly number[]): number[] => [
  ...new Set(slots.slice(1).map((slot, i) => (slot - (slots[i] ?? 0)) / MINUTE_MS)),
];

describe('a watched endpoint', () => {
  it('is probed every five minutes until its last watch is cancelled', async () => {
    const { add, probeAll } = openHosts(database, 'watched');
    await add('watchedaaa');
    expect(await probeAll(T0, T0 + 2 * HOUR_MS)).toHaveLength(4);
    const { id: last, payment } = await watches.prepare('watchedaaa', { now: T0 + 2 * HOUR_MS });
    // A pending watch changes nothing.
    expect(await probeAll(T0 + 2 * HOUR_MS, T0 + 3 * HOUR_MS)).toHaveLength(2);
    await watches.settle(payment, T0 + 3 * HOUR_MS);
    const ids = [
      await watches.buy('watchedaaa', { now: T0 + 3 * HOUR_MS }),
      await watches.buy('watchedaaa', { now: T0 + 3 * HOUR_MS }),
    ];
    const slots = await probeAll(T0 + 3 * HOUR_MS, T0 + 4 * HOUR_MS);
    expect(slots).toHaveLength(11);
    expect(toIntervals(slots)).toEqual([5]);

    for (const id of ids) await cancel(id, T0 + 4 * HOUR_MS);
    expect(toIntervals(await probeAll(T0 + 4 * HOUR_MS, T0 + 5 * HOUR_MS))).toEqual([5]);
    await cancel(last, T0 + 5 * HOUR_MS);
    expect(await probeAll(T0 + 5 * HOUR_MS, T0 + 7 * HOUR_MS)).toHaveLength(4);
  });

  it('is probed at the normal interval after its watch expires, and every five minutes after a renewal', async () => {
    const { add, probeAll } = openHosts(database, 'expiring');
    await add('expiringaa');
    const end = T0 + 2 * HOUR_MS;
    const id = await watches.buy('expiringaa', { expiresAt: end });
    expect(toIntervals(await probeAll(T0, end))).toEqual([5]);
    await advance(end);
    expect(toIntervals(await probeAll(end, end + 2 * HOUR_MS))).toEqual([30]);
    await watches.renew(id, end + 2 * HOUR_MS);
    expect(toIntervals(await probeAll(end + 2 * HOUR_MS, end + 3 * HOUR_MS))).toEqual([5]);
  });

  it('that is down for 14 days is probed every five minutes, and four times a day after the watch', async () => {
    const { add, probeAll } = openHosts(database, 'slowwatch');
    const id = 'slowwatcha';
    await add(id);
    // The endpoint fails every hour for 14 days, without a gap in the monitoring. These observations are recorded
    // directly, without claims.
    const misses = Array.from({ length: 14 * 24 + 1 }, (_, i) => makeObservation(id, T0 + i * HOUR_MS, down));
    await database.record(misses, T0 + 14 * DAY_MS + HOUR_MS);
    const from = T0 + 14 * DAY_MS + HOUR_MS;
    const [last] = (await probeAll(from, from + 6 * HOUR_MS, down)).slice(-1);
    // The watch begins just before the next slow slot, so its first probe comes nearly six hours after the last probe.
    const begin = (last ?? from) + 5.9 * HOUR_MS;
    const watch = await watches.buy(id, { now: begin, expiresAt: begin + 30 * DAY_MS });
    const slots = await probeAll(begin, begin + 2 * HOUR_MS, down);
    expect(slots.length).toBeGreaterThanOrEqual(23);
    expect(toIntervals(slots)).toEqual([5]);
    // The long time before the first probe is no monitoring gap, so the downtime is the same.
    expect((await database.readInput(id, begin + 2 * HOUR_MS))?.state.downSince).toBe(T0);
    expect(await watches.readAlerts(watch)).toEqual(['liveness_down']);

    const end = begin + 2 * HOUR_MS;
    await cancel(watch, end);
    const slow = await probeAll(end, end + 2 * DAY_MS, down);
    expect(slow).toHaveLength(8);
    expect(toIntervals(slow)).toEqual([360]);
  }, 120_000);
});

describe('a provisional adoption', () => {
  it('stays pending while a watch is pending, and is kept with an active watch', async () => {
    const adopt = async (): Promise<string> => {
      const id = await watches.addEndpoint();
      await database.db.from('listings').delete().eq('endpoint_id', id).throwOnError();
      const time = new Date(T0).toISOString();
      const row = { adopted_at: time, provisional_until: time };
      await database.db.from('endpoints').update(row).eq('id', id).throwOnError();
      return id;
    };
    const [unpaid, pending, active] = [await adopt(), await adopt(), await adopt()];
    await watches.prepare(pending);
    await watches.buy(active);
    const query = { now: T0 + HOUR_MS, extendUntil: T0 + 2 * HOUR_MS, limit: 100 };
    expect(await expireAdoptions(database.db, query)).toMatchObject([{ endpointId: unpaid }]);
    const { data } = await database.db
      .from('endpoints')
      .select('provisional_until')
      .in('id', [pending, active]);
    expect(data?.filter((row) => row.provisional_until !== null)).toHaveLength(1);
  });
});
