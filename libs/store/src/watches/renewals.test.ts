import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceWatches, cancelWatch, createRenewal, findWatch } from '../index.ts';
import { makeObservation, openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { makePayment, makeWatchId, openWatches, RENEW_ROUTE } from '../testing/watches.ts';

/** Minute and result of a probe. */
type Probe = readonly [minute: number, vitality: 'up' | 'down'];

let database: TestDatabase;
let watches: ReturnType<typeof openWatches>;
beforeAll(async () => {
  database = await openTestDatabase();
  watches = openWatches(database);
});
afterAll(() => database.close());

const makeRenewalPayment = () => makePayment({ route: RENEW_ROUTE });
const find = (id: string) => findWatch(database.db, id);

describe('a renewal', () => {
  const renew = (id: string, now: number) =>
    createRenewal(database.db, { id, payment: makeRenewalPayment(), now });

  it('extends the watch by 30 days from its end', async () => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId);
    expect(await renew(id, T0 + DAY_MS)).toEqual({
      kind: 'created',
      endpointId,
      expiresAt: T0 + 60 * DAY_MS,
    });
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
    expect(await renew(id, late + 1)).toEqual({ kind: 'not-renewable' });
    expect(await renew(id, late)).toMatchObject({ kind: 'created', expiresAt: late + 30 * DAY_MS });
    await watches.renew(id, late);
    expect(await find(id)).toMatchObject({ status: 'active', expiresAt: late + 30 * DAY_MS });
    expect(await watches.readTypes(id)).toEqual(['created', 'expired', 'renewed']);
  });

  it('is refused for unknown, pending and cancelled watches', async () => {
    const endpointId = await watches.addEndpoint();
    const { id: pending } = await watches.prepare(endpointId);
    expect(await renew(makeWatchId(), T0)).toEqual({ kind: 'not-found' });
    expect(await renew(pending, T0)).toEqual({ kind: 'not-found' });
    const id = await watches.buy(endpointId);
    await cancelWatch(database.db, { id, now: T0 + 1 });
    expect(await renew(id, T0 + 2)).toEqual({ kind: 'not-renewable' });
  });

  it('of a request that lost its payment to another request is superseded', async () => {
    const id = await watches.buy(await watches.addEndpoint());
    const payment = makeRenewalPayment();
    await watches.claim(payment, T0);
    const successor = { ...payment, owner: 'request 2' };
    await watches.claim(successor, T0 + 31_000);
    const renewal = { id, now: T0 + 32_000 };
    expect(await createRenewal(database.db, { ...renewal, payment })).toEqual({ kind: 'superseded' });
    expect(await createRenewal(database.db, { ...renewal, payment: successor })).toMatchObject({
      kind: 'created',
    });
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

  it('that is settled after the owner cancelled reactivates the watch', async () => {
    const id = await watches.buy(await watches.addEndpoint());
    const payment = makeRenewalPayment();
    await watches.claim(payment, T0 + 1);
    await createRenewal(database.db, { id, payment, now: T0 + 1 });
    await cancelWatch(database.db, { id, now: T0 + 2 });
    await watches.settle(payment, T0 + 3);
    const active = { status: 'active', cancelledAt: null, expiresAt: T0 + 60 * DAY_MS };
    expect(await find(id)).toMatchObject(active);
    expect(await watches.readTypes(id)).toEqual(['created', 'cancelled', 'renewed']);
  });
});

describe('a renewal of an expired watch', () => {
  /** Returns the alerts of a watch that ended during an outage and was renewed after the given probes. */
  const readAlertsAfter = async (before: readonly Probe[], after: readonly Probe[]) => {
    const endpointId = await watches.addEndpoint();
    const end = T0 + 30 * MINUTE_MS;
    const id = await watches.buy(endpointId, { expiresAt: end, livenessSensitivityN: 1 });
    const record = async (probes: readonly Probe[]) => {
      for (const [minute, vitality] of probes) {
        const at = T0 + minute * MINUTE_MS;
        await database.record([makeObservation(endpointId, at, { vitality })], at);
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
