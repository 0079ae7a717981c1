import { DAY_MS, MINUTE_MS, HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  advanceWatches,
  cancelWatch,
  createRenewal,
  expireAdoptions,
  findAppliedPurchase,
  findWatch,
  settlePayment,
  storePaymentResult,
  type PaymentClaim,
} from '../index.ts';
import { DOWN, makeObservation, useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makePayment, makeWatchId, openWatches, RENEW_ROUTE } from '../testing/watches.ts';
import { openHosts } from '../testing/hosts.ts';

/** Minute and result of a probe. */
type Probe = readonly [minute: number, vitality: 'up' | 'down'];

const database = useTestDatabase();
const watches = openWatches(database);

const makeRenewalPayment = () => makePayment({ route: RENEW_ROUTE });
const find = (id: string) => findWatch(database.db, id);

describe('a renewal', () => {
  const renew = (id: string, now: number) =>
    createRenewal(database.db, { id, payment: makeRenewalPayment(), now });

  it('extends the watch by 30 days from its end', async () => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId);
    expect(await renew(id, T0 + DAY_MS)).toBe('created');
    expect(await find(id)).toMatchObject({ expiresAt: T0 + 30 * DAY_MS });
    await watches.renew(id, T0 + DAY_MS);
    await watches.renew(id, T0 + 2 * DAY_MS);
    expect(await find(id)).toMatchObject({ status: 'active', expiresAt: T0 + 90 * DAY_MS });
    const [, first] = await watches.readLog(id);
    expect(first).toMatchObject({
      type: 'renewed',
      data: {
        before: { expiresAt: '2026-12-01T00:00:00+00:00' },
        after: { expiresAt: '2026-12-31T00:00:00+00:00' },
      },
    });
  });

  it('of an expired watch begins at the request, until seven days after the end', async () => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId);
    const end = T0 + 30 * DAY_MS;
    await advanceWatches(database.db, { now: end, limit: 100 });
    expect(await find(id)).toMatchObject({ status: 'expired' });
    const late = end + 7 * DAY_MS - 1;
    expect(await renew(id, late + 1)).toBe('not-renewable');
    expect(await renew(id, late)).toBe('created');
    await watches.renew(id, late);
    expect(await find(id)).toMatchObject({ status: 'active', expiresAt: late + 30 * DAY_MS });
    expect(await watches.readTypes(id)).toEqual(['created', 'expired', 'renewed']);
  });

  it('is refused for unknown, pending and cancelled watches', async () => {
    const endpointId = await watches.addEndpoint();
    const { id: pending } = await watches.prepare(endpointId);
    expect(await renew(makeWatchId(), T0)).toBe('not-found');
    expect(await renew(pending, T0)).toBe('not-found');
    const id = await watches.buy(endpointId);
    await cancelWatch(database.db, { id, now: T0 + 1 });
    expect(await renew(id, T0 + 2)).toBe('not-renewable');
  });

  it('of a request that lost its payment to another request is superseded', async () => {
    const id = await watches.buy(await watches.addEndpoint());
    const payment = makeRenewalPayment();
    await watches.claim(payment, T0);
    const successor = { ...payment, owner: 'request 2' };
    await watches.claim(successor, T0 + 31_000);
    const renewal = { id, now: T0 + 32_000 };
    expect(await createRenewal(database.db, { ...renewal, payment })).toBe('superseded');
    expect(await createRenewal(database.db, { ...renewal, payment: successor })).toBe('created');
  });

  it('is not applied by a payment for another operation', async () => {
    const id = await watches.buy(await watches.addEndpoint());
    const payment = makePayment({ route: 'POST /v1/x402-trust-bulk-50' });
    await watches.claim(payment, T0 + 1);
    await createRenewal(database.db, { id, payment, now: T0 + 1 });
    await watches.settle(payment, T0 + 2);
    expect(await find(id)).toMatchObject({ expiresAt: T0 + 30 * DAY_MS });
    expect(await watches.readTypes(id)).toEqual(['created']);
  });
});

describe('a renewal and a cancellation of its watch', () => {
  const STEPS = {
    work: ({ id, payment }) => createRenewal(database.db, { id, payment, now: T0 + 1 }),
    store: ({ payment }) =>
      storePaymentResult(database.db, payment, { result: '{}', now: T0 + 1, leaseSeconds: 30 }),
    settle: ({ payment }) =>
      settlePayment(database.db, payment, {
        transaction: '0xhash',
        receipt: 'receipt',
        audited: false,
        now: T0 + 2,
      }),
    cancel: ({ id }) => cancelWatch(database.db, { id, now: T0 + 3 }),
  } as const satisfies Record<string, (of: { id: string; payment: PaymentClaim }) => Promise<unknown>>;
  const toEnd = (days: number) => T0 + days * DAY_MS;
  const renewed = { status: 'active', expiresAt: toEnd(60) };
  const cancelled = { status: 'cancelled', expiresAt: toEnd(30) };

  it.each([
    { before: ['cancel'], last: 'work', outcome: 'not-renewable', applied: null },
    { before: ['work', 'cancel'], last: 'store', outcome: 'outdated', applied: null },
    { before: ['work', 'cancel', 'store'], last: 'work', outcome: 'not-renewable', applied: null },
    { before: ['work', 'store', 'cancel'], last: 'settle', outcome: 'receipt', applied: cancelled },
    { before: ['work', 'store', 'settle'], last: 'cancel', outcome: null, applied: renewed },
  ] as const)('after $before, $last returns $outcome', async ({ before, last, outcome, applied }) => {
    const id = await watches.buy(await watches.addEndpoint());
    const payment = makeRenewalPayment();
    await watches.claim(payment, T0 + 1);
    for (const step of before) await STEPS[step]({ id, payment });
    expect((await STEPS[last]({ id, payment })) ?? null).toBe(outcome);
    expect(await findAppliedPurchase(database.db, payment)).toEqual(applied && { watchId: id, ...applied });
    const stored = { status: 'cancelled', cancelledAt: T0 + 3, expiresAt: (applied ?? cancelled).expiresAt };
    expect(await find(id)).toMatchObject(stored);
    expect(await watches.readTypes(id)).toEqual(
      applied === renewed ? ['created', 'renewed', 'cancelled'] : ['created', 'cancelled'],
    );
  });
});

describe('a renewal of an expired watch', () => {
  /**
   * Renews a watch that expired during an outage, between the probes `before` and `after`. Returns the alerts that
   * follow the outage alert.
   */
  const readAlertsAfter = async (before: readonly Probe[], after: readonly Probe[]) => {
    const endpointId = await watches.addEndpoint();
    const end = T0 + 30 * MINUTE_MS;
    const id = await watches.buy(endpointId, { expiresAt: end, livenessSensitivityN: 1 });
    const record = async (probes: readonly Probe[]) => {
      for (const [minute, vitality] of probes) {
        const at = T0 + minute * MINUTE_MS;
        await database.observe(endpointId, at, { vitality });
      }
    };
    await record([
      [5, 'down'],
      [10, 'down'],
    ]);
    await advanceWatches(database.db, { now: end, limit: 100 });
    await record(before);
    await watches.renew(id, T0 + 42 * MINUTE_MS);
    await record(after);
    const [first, ...alerts] = (await watches.readLog(id)).filter(({ kind }) => kind === 'alert');
    expect(first).toMatchObject({ type: 'liveness_down', data: { after: { downSince: toText(5) } } });
    return alerts;
  };
  const toText = (minute: number) =>
    new Date(T0 + minute * MINUTE_MS).toISOString().replace('.000Z', '+00:00');

  it('reports no recovery from an outage that ended before the renewal', async () => {
    expect(await readAlertsAfter([[35, 'up']], [[45, 'up']])).toEqual([]);
  });

  it('reports an outage that began before the renewal', async () => {
    const before: Probe[] = [
      [35, 'up'],
      [37, 'down'],
      [40, 'down'],
    ];
    const alerts = await readAlertsAfter(before, [
      [45, 'down'],
      [50, 'up'],
    ]);
    expect(alerts).toMatchObject([
      { type: 'liveness_down', data: { after: { downSince: toText(37), missedProbes: 3 } } },
      { type: 'liveness_recovered', data: { before: { downSince: toText(37) } } },
    ]);
  });

  it('reports the end of an outage that continues', async () => {
    const alerts = await readAlertsAfter(
      [[35, 'down']],
      [
        [45, 'down'],
        [50, 'up'],
      ],
    );
    expect(alerts).toMatchObject([
      { type: 'liveness_recovered', data: { before: { downSince: toText(5) } } },
    ]);
  });
});

const cancel = (id: string, now: number) => cancelWatch(database.db, { id, now });
const advance = (now: number) => advanceWatches(database.db, { now, limit: 100 });
/** Returns the different intervals between slots, in minutes. */
const toIntervals = (slots: readonly number[]): number[] => [
  ...new Set(slots.slice(1).map((slot, i) => (slot - (slots[i] ?? 0)) / MINUTE_MS)),
];

describe('a watched endpoint', () => {
  it('is probed every five minutes until its last watch is cancelled', async () => {
    const { add, probeAll } = openHosts(database, 'watched');
    await add('watchedaaa');
    const at = (minutes: number): number => T0 + minutes * MINUTE_MS;
    const { id: last, payment } = await watches.prepare('watchedaaa', { now: at(0) });
    // A pending watch does not change the probe schedule.
    expect(await probeAll(at(0), at(60))).toHaveLength(2);
    await watches.settle(payment, at(60));
    const ids = [
      await watches.buy('watchedaaa', { now: at(60) }),
      await watches.buy('watchedaaa', { now: at(60) }),
    ];
    expect(toIntervals(await probeAll(at(60), at(90)))).toEqual([5]);
    for (const id of ids) await cancel(id, at(90));
    expect(toIntervals(await probeAll(at(90), at(120)))).toEqual([5]);
    await cancel(last, at(120));
    expect(await probeAll(at(120), at(180))).toHaveLength(2);
  });

  it('is probed at the normal interval after its watch expires, and every five minutes after a renewal', async () => {
    const { add, probeAll } = openHosts(database, 'expiring');
    await add('expiringaa');
    const end = T0 + HOUR_MS;
    const id = await watches.buy('expiringaa', { expiresAt: end });
    expect(toIntervals(await probeAll(T0, end))).toEqual([5]);
    await advance(end);
    expect(toIntervals(await probeAll(end, end + HOUR_MS))).toEqual([30]);
    await watches.renew(id, end + HOUR_MS);
    expect(toIntervals(await probeAll(end + HOUR_MS, end + 1.5 * HOUR_MS))).toEqual([5]);
  });

  it('that is down for 14 days is probed every five minutes, and else four times a day until it responds', async () => {
    const { add, probeAll } = openHosts(database, 'slowwatch');
    const { probeAll: probeSlowly } = openHosts(database, 'slowwatch', 30 * MINUTE_MS);
    const id = 'slowwatcha';
    await add(id);
    // The endpoint fails every hour for 14 days, without a gap in the monitoring. The test records these observations
    // directly, without claims.
    const misses = Array.from({ length: 14 * 24 + 1 }, (_, i) => makeObservation(id, T0 + i * HOUR_MS, DOWN));
    await database.record(misses, T0 + 14 * DAY_MS + HOUR_MS);
    const from = T0 + 14 * DAY_MS + HOUR_MS;
    const [last] = (await probeSlowly(from, from + 6 * HOUR_MS, DOWN)).slice(-1);
    // The watch begins just before the next slow slot, so its first probe comes nearly six hours after the last probe.
    const begin = (last ?? from) + 5.9 * HOUR_MS;
    const watch = await watches.buy(id, { now: begin, expiresAt: begin + 30 * DAY_MS });
    const slots = await probeAll(begin, begin + HOUR_MS, DOWN);
    expect(slots.length).toBeGreaterThanOrEqual(11);
    expect(toIntervals(slots)).toEqual([5]);
    // The long time before the first probe does not count as a monitoring gap, so the downtime is the same.
    expect((await database.readInput(id, begin + HOUR_MS))?.state.downSince).toBe(T0);
    expect(await watches.readAlerts(watch)).toEqual(['liveness_down']);

    const end = begin + HOUR_MS;
    await cancel(watch, end);
    const slow = await probeSlowly(end, end + DAY_MS, DOWN);
    expect(slow).toHaveLength(4);
    expect(toIntervals(slow)).toEqual([360]);
    // Each slot of the six-hour schedule is also a slot of the regular 30-minute schedule.
    expect(slow.every((slot) => (slot - 10 * MINUTE_MS) % (30 * MINUTE_MS) === 0)).toBe(true);
    const answered = end + 2 * DAY_MS;
    expect(await probeSlowly(answered, answered + 1)).toHaveLength(1);
    const next = answered + 10 * MINUTE_MS;
    expect(await probeSlowly(next, next + 2 * HOUR_MS)).toHaveLength(4);
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
