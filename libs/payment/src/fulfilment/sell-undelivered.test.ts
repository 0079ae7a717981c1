import { createProblem } from '@touchstone/contract';
import { prunePayments } from '@touchstone/store';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, test } from 'vitest';
import { createFacilitator, reconcilePayments } from '../index.ts';
import { post } from '../testing/buyer.ts';
import { BODY, interceptCalls, useTestService } from '../testing/test-service.ts';

const service = useTestService();

/** Signs a payment that a third party settles. */
const settleElsewhere = async () => {
  const prepared = await service.preparePayment();
  const { payload } = prepared;
  const facilitator = createFacilitator({ url: service.world.facilitatorUrl });
  const { transaction } = await facilitator.settle(payload, payload.accepted);
  return { ...prepared, transaction };
};

/** Runs reconciliation three minutes later. Returns its count of settled payments and its errors. */
const reconcile = async () => {
  const errors: string[] = [];
  const { db, providers: chain } = service.world;
  const now = () => Date.now() + 180_000;
  const { settled } = await reconcilePayments({ db, chain, now, onError: (message) => errors.push(message) });
  return { settled, errors };
};

test('a payment that a third party settled stays after failed work until it is delivered, and is reported once', async () => {
  const { seller, payment, nonce, transaction } = await settleElsewhere();
  service.behavior.work = () => Promise.reject(new Error('broken'));
  expect((await post(seller.trust, BODY, { payment })).status).toBe(500);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'working', transaction });
  const { settled, errors } = await reconcile();
  expect([settled, errors.length]).toEqual([1, 1]);
  expect(errors[0]).toContain(
    `payer ${service.payer.address.toLowerCase()}, nonce ${nonce}, transaction ${transaction}`,
  );
  expect((await post(seller.trust, BODY, { payment })).status).toBe(500);
  expect(await reconcile()).toEqual({ settled: 0, errors: [] });
  await prunePayments(service.world.db, { now: Date.now() + 9 * DAY_MS, limit: 100 });
  service.behavior.work = service.defaultWork;
  service.behavior.clockOffsetMs = 30 * HOUR_MS;
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled', transaction });
});

test.each([true, false])(
  'a paid payment whose process was killed during the work is delivered; reconciled before: %s',
  async (isReconciled) => {
    const { payment, nonce, seller } = await settleElsewhere();
    let isKilled = false;
    const dying = await service.openSeller({
      db: interceptCalls(service.world.db, async (name) => {
        isKilled ||= name === 'store_payment_result';
        if (isKilled) throw new Error('killed');
      }),
    });
    expect((await post(dying.trust, BODY, { payment })).status).toBe(500);
    await service.endLeases();
    // The process was killed before the chain was read.
    const { db } = service.world;
    await db.from('payments').update({ transaction: null }).eq('state', 'working').throwOnError();
    expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'working', transaction: null });
    if (isReconciled) {
      expect((await reconcile()).errors).toEqual([expect.stringContaining(nonce)]);
      await prunePayments(service.world.db, { now: Date.now() + 9 * DAY_MS, limit: 100 });
    }
    const reply = await post(seller.trust, BODY, { payment });
    expect([reply.status, reply.body['detail']]).toEqual([200, undefined]);
  },
);

test.each([true, false])(
  'a paid payment whose work ended in a problem buys another request; reconciled before: %s',
  async (isReconciled) => {
    const { seller, payment } = await settleElsewhere();
    service.behavior.work = async () => ({ problem: createProblem('not-probeable', 'It gave no answer.') });
    expect((await post(seller.trust, BODY, { payment })).status).toBe(422);
    if (isReconciled) expect((await reconcile()).settled).toBe(1);
    service.behavior.work = service.defaultWork;
    const other = { resource: 'https://api.example.com/v1/other' };
    expect(await post(seller.trust, other, { payment })).toMatchObject({
      status: 200,
      body: { about: other.resource },
    });
  },
);

test('a transaction of undelivered work that the chain does not have buys nothing', async () => {
  const { seller, payment, nonce } = await service.preparePayment();
  const { db } = service.world;
  const dying = await service.openSeller({
    db: interceptCalls(db, async (name) => {
      if (name === 'store_payment_result' || name === 'release_payment') throw new Error('killed');
    }),
  });
  expect((await post(dying.trust, BODY, { payment })).status).toBe(500);
  await service.endLeases();
  await db.from('payments').update({ transaction: '0xfalse' }).eq('state', 'working').throwOnError();
  expect(await service.findPaymentRow(nonce)).toMatchObject({ transaction: '0xfalse' });
  service.behavior.clockOffsetMs = HOUR_MS;
  const runs = service.workedFor.length;
  expect((await post(seller.trust, BODY, { payment })).status).toBe(402);
  expect(service.workedFor).toHaveLength(runs);
});
