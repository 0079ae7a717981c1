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
    await service.world.db.from('payments').update({ transaction: null }).eq('nonce', nonce).throwOnError();
    if (isReconciled) {
      expect((await reconcile()).errors).toEqual([expect.stringContaining(nonce)]);
      await prunePayments(service.world.db, { now: Date.now() + 9 * DAY_MS, limit: 100 });
    }
    const reply = await post(seller.trust, BODY, { payment });
    expect([reply.status, reply.body['detail']]).toEqual([200, undefined]);
  },
);
