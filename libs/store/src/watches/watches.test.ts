import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  advanceWatches,
  auditPayment,
  cancelWatch,
  createWatch,
  findWatch,
  findWatchSecretHash,
  findWatchTarget,
  readWatchLog,
  refusePayment,
  releasePayment,
  settlePayment,
  storePaymentResult,
} from '../index.ts';
import type { LogEntry } from './watch-log.ts';
import { makeTerms, useTestDatabase, T0 } from '../testing/fixtures.ts';
import {
  makeDestination,
  makePayment,
  makeWatch,
  makeWatchId,
  openWatches,
  RENEW_ROUTE,
} from '../testing/watches.ts';

const database = useTestDatabase();
const watches = openWatches(database);

const find = (id: string) => findWatch(database.db, id);

describe('findWatchTarget', () => {
  it('finds an endpoint by its resource, unless it was removed', async () => {
    const id = await watches.addEndpoint({ resource: 'https://target.test/' });
    expect(await findWatchTarget(database.db, 'https://target.test/')).toEqual({
      endpointId: id,
      slug: `${id}-example-com-${id}`,
      resource: 'https://target.test/',
      templated: false,
      isProbed: true,
    });
    expect(await findWatchTarget(database.db, 'https://other.test/')).toBeNull();
    await database.db.from('endpoints').update({ removed_at: '2026-11-01T00:00:00Z' }).eq('id', id);
    expect(await findWatchTarget(database.db, 'https://target.test/')).toBeNull();
    const payment = makePayment();
    expect(await createWatch(database.db, makeWatch(makeWatchId(), id, { payment }))).toBe(false);
  });

  it('reports a template without example values as not probed', async () => {
    const resource = 'https://template.test/{id}';
    await watches.addEndpoint({ resource, probeUrl: null, templated: true });
    expect(await findWatchTarget(database.db, resource)).toMatchObject({ templated: true, isProbed: false });
  });
});

describe('findWatchSecretHash', () => {
  it('returns the hash of a watch, and null for an unknown watch', async () => {
    const { id } = await watches.prepare(await watches.addEndpoint());
    expect(await findWatchSecretHash(database.db, id)).toBe(`hash of ${id}`);
    expect(await findWatchSecretHash(database.db, makeWatchId())).toBeNull();
  });
});

describe('a purchase', () => {
  it('activates the watch when its payment is settled, once', async () => {
    const endpointId = await watches.addEndpoint();
    const destinations = [makeDestination('hook'), makeDestination('chat', 'slack')];
    const { id, payment } = await watches.prepare(endpointId, { destinations, events: ['delisting'] });
    expect(await find(id)).toMatchObject({ status: 'pending', activatedAt: null });
    expect(await watches.readLog(id)).toEqual([]);

    await watches.settle(payment, T0 + 5000);
    expect(await find(id)).toEqual({
      id,
      status: 'active',
      secretHash: `hash of ${id}`,
      signingKey: `key of ${id}`,
      endpointId,
      slug: `${endpointId}-example-com-${endpointId}`,
      resource: `https://${endpointId}.example.com/`,
      templated: false,
      isProbed: true,
      events: ['delisting'],
      livenessSensitivityN: 2,
      createdAt: T0,
      activatedAt: T0 + 5000,
      expiresAt: T0 + 30 * DAY_MS,
      cancelledAt: null,
      downSince: null,
      lastSequence: 1,
      destinations: destinations.map(({ receiver: _receiver, ...destination }) => ({
        ...destination,
        // The cast is safe, because a matcher may stand for any value.
        id: expect.any(Number) as number,
        createdAt: T0,
        disabledAt: null,
        disabledReason: null,
        failingSince: null,
        pending: 0,
        lastAttempt: null,
      })),
    });
    const receipt = { transaction: '0xhash', receipt: 'another', audited: true, now: T0 + 6000 };
    await settlePayment(database.db, payment, receipt);
    expect(await watches.readLog(id)).toEqual([
      {
        sequence: 1,
        kind: 'lifecycle',
        type: 'created',
        at: T0 + 5000,
        data: { expiresAt: '2026-12-01T00:00:00+00:00' },
      },
    ]);
  });

  it('of a repeated request replaces the pending watch', async () => {
    const endpointId = await watches.addEndpoint();
    const { id, payment } = await watches.prepare(endpointId);
    const second = makeWatchId();
    expect(await createWatch(database.db, makeWatch(second, endpointId, { payment }))).toBe(true);
    expect(await find(id)).toBeNull();
    await watches.settle(payment, T0);
    expect(await find(second)).toMatchObject({ status: 'active' });
  });

  it('of a request that lost its payment to another request changes nothing', async () => {
    const endpointId = await watches.addEndpoint();
    const { id, payment } = await watches.prepare(endpointId);
    const successor = { ...payment, owner: 'request 2' };
    expect(await watches.claim(successor, T0 + 31_000)).toMatchObject({ outcome: 'claimed' });
    const late = makeWatch(makeWatchId(), endpointId, { payment });
    expect(await createWatch(database.db, late)).toBe(false);
    expect(await find(id)).toMatchObject({ status: 'pending' });
    const own = makeWatch(makeWatchId(), endpointId, { payment: successor });
    expect(await createWatch(database.db, own)).toBe(true);

    // For a call without an owner, the state of the payment decides.
    const { network, asset, payer, nonce } = payment;
    await storePaymentResult(database.db, successor, { result: 'r', now: T0 + 32_000, leaseSeconds: 30 });
    expect(await createWatch(database.db, { ...late, payment: { network, asset, payer, nonce } })).toBe(
      false,
    );
    expect(await find(own.id)).toMatchObject({ status: 'pending' });
  });

  it('is not applied by a payment for another operation', async () => {
    const endpointId = await watches.addEndpoint();
    const id = makeWatchId();
    const payment = makePayment({ route: RENEW_ROUTE });
    await watches.claim(payment, T0);
    await createWatch(database.db, makeWatch(id, endpointId, { payment }));
    await watches.settle(payment, T0 + 1);
    expect(await find(id)).toMatchObject({ status: 'pending' });
  });

  it('is not applied if the payment is refused, and the watch is deleted after the last check', async () => {
    const { id, payment } = await watches.prepare(await watches.addEndpoint());
    await storePaymentResult(database.db, payment, { result: 'r', now: T0, leaseSeconds: 30 });
    await refusePayment(database.db, payment, T0 + 1000);
    // The chain may still show that the refused payment was settled.
    await advanceWatches(database.db, { now: T0 + 2 * HOUR_MS, limit: 100 });
    expect(await find(id)).toMatchObject({ status: 'pending' });
    await auditPayment(database.db, payment, { transaction: '', now: T0 + 2 * HOUR_MS });
    await advanceWatches(database.db, { now: T0 + HOUR_MS, limit: 100 });
    expect(await find(id)).toMatchObject({ status: 'pending' });
    await advanceWatches(database.db, { now: T0 + HOUR_MS + 1, limit: 100 });
    expect(await find(id)).toBeNull();
  });

  it('keeps the pending watch while its payment is open', async () => {
    const endpointId = await watches.addEndpoint();
    const working = await watches.prepare(endpointId);
    const settling = await watches.prepare(endpointId);
    const released = await watches.prepare(endpointId);
    await storePaymentResult(database.db, settling.payment, { result: 'r', now: T0, leaseSeconds: 30 });
    await releasePayment(database.db, released.payment, T0);
    await advanceWatches(database.db, { now: T0 + 2 * HOUR_MS, limit: 100 });
    expect(await find(working.id)).toMatchObject({ status: 'pending' });
    expect(await find(settling.id)).toMatchObject({ status: 'pending' });
    expect(await find(released.id)).toBeNull();
    const receipt = { transaction: '0xhash', receipt: 'receipt', audited: true, now: T0 + 3 * HOUR_MS };
    await settlePayment(database.db, settling.payment, receipt);
    expect(await find(settling.id)).toMatchObject({ status: 'active' });
  });
});

describe('the end of a watch', () => {
  it('is logged once after a cancellation, and stops its alerts', async () => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId);
    await cancelWatch(database.db, { id, now: T0 + MINUTE_MS });
    await cancelWatch(database.db, { id, now: T0 + 2 * MINUTE_MS });
    expect(await find(id)).toMatchObject({ status: 'cancelled', cancelledAt: T0 + MINUTE_MS });
    for (const [hour, amount] of [
      [1, '1'],
      [2, '2'],
    ] as const) {
      const at = T0 + hour * HOUR_MS;
      await database.observe(endpointId, at, { terms: makeTerms(amount, '0xa') });
    }
    expect(await watches.readTypes(id)).toEqual(['created', 'cancelled']);
  });

  it('is announced three days before, again after a renewal, and logged once', async () => {
    const id = await watches.buy(await watches.addEndpoint());
    const advance = (days: number) => advanceWatches(database.db, { now: T0 + days * DAY_MS, limit: 100 });
    await advance(26.9);
    expect(await watches.readTypes(id)).toEqual(['created']);
    await advance(27);
    await advance(28);
    expect(await watches.readTypes(id)).toEqual(['created', 'expiring']);
    await watches.renew(id, T0 + 29 * DAY_MS);
    await advance(57);
    await advance(60.5);
    await advance(61);
    const last = (await watches.readLog(id)).at(-1);
    expect(last).toMatchObject({ type: 'expired', at: T0 + 60 * DAY_MS });
    const types = ['created', 'expiring', 'renewed', 'expiring', 'expired'];
    expect(await watches.readTypes(id)).toEqual(types);
    await advance(90);
    expect(await watches.readTypes(id)).toEqual(types);
    await advance(90.1);
    expect(await find(id)).toBeNull();
  });

  it('deletes a cancelled watch 30 days after its cancellation', async () => {
    const id = await watches.buy(await watches.addEndpoint(), { destinations: [makeDestination('a')] });
    await cancelWatch(database.db, { id, now: T0 + DAY_MS });
    await advanceWatches(database.db, { now: T0 + 31 * DAY_MS, limit: 100 });
    expect(await find(id)).not.toBeNull();
    await advanceWatches(database.db, { now: T0 + 31 * DAY_MS + 1, limit: 100 });
    expect(await find(id)).toBeNull();
    const { count } = await database.db
      .from('watch_log')
      .select('*', { count: 'exact', head: true })
      .eq('watch_id', id);
    expect(count).toBe(0);
  });
});

describe('readWatchLog', () => {
  it('returns pages of alerts and lifecycle events after separate cursors', async () => {
    const endpointId = await watches.addEndpoint();
    const id = await watches.buy(endpointId);
    for (let hour = 1; hour <= 6; hour += 1) {
      const at = T0 + hour * HOUR_MS;
      await database.observe(endpointId, at, { terms: makeTerms(`${hour}`, '0xa') });
    }
    await cancelWatch(database.db, { id, now: T0 + DAY_MS });
    const read = async (alertsAfter: number, lifecycleAfter: number) => {
      const page = await readWatchLog(database.db, { watchId: id, alertsAfter, lifecycleAfter, limit: 2 });
      const list = (entries: readonly LogEntry[]) => entries.map(({ sequence }) => sequence);
      return [list(page.alerts), list(page.lifecycle), page.hasMore];
    };
    expect(await read(0, 0)).toEqual([[2, 3], [1, 7], true]);
    expect(await read(3, 7)).toEqual([[4, 5], [], true]);
    expect(await read(5, 7)).toEqual([[6], [], false]);
    expect(await read(6, 7)).toEqual([[], [], false]);
    expect(await read(99, 0)).toEqual([[], [1, 7], false]);
  });
});
