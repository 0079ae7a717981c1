import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reconcilePayments } from '../index.ts';
import { buy, createPayment, post, readReceiptHeader } from '../testing/buyer.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

/** Opens a seller that records settlements when the test runs its tasks. */
const openLateSeller = async (isRecordedLater = true) => {
  const tasks: (() => Promise<void>)[] = [];
  const runAfterResponse = (task: () => Promise<void>) => void tasks.push(task);
  const seller = await service.openSeller({ runAfterResponse }, { isRecordedLater });
  return { ...seller, tasks };
};

test('a settlement is recorded after the response, and its receipt stays the same', async () => {
  const seller = await openLateSeller();
  const before = await service.countTransfers();
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  expect([first.status, (await service.countTransfers()) - before]).toEqual([200, 1]);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settling' });
  const early = await post(seller.trust, BODY, { payment });
  expect(toStatusAndCode(early)).toEqual([409, 'payment-in-progress']);
  expect(early.text).not.toMatch(/notCharged|nothing was charged/i);
  // The settlement that is not recorded yet does not keep the payer from another purchase.
  expect((await buy(service.payer, seller.trust, BODY)).status).toBe(200);
  for (const task of seller.tasks) await task();
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled' });
  const again = await post(seller.trust, BODY, { payment });
  expect([again.status, again.text, readReceiptHeader(again)]).toEqual([
    200,
    first.text,
    readReceiptHeader(first),
  ]);
  expect((await service.countTransfers()) - before).toBe(2);
});

test('a process that dies before the record: the result is sent again, and charged once', async () => {
  const seller = await openLateSeller();
  const before = await service.countTransfers();
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  const other = await service.openSeller();
  service.behavior.clockOffsetMs = 46_000;
  const again = await post(other.trust, BODY, { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(readReceiptHeader(again).transaction).toBe(readReceiptHeader(first).transaction);
  expect([(await service.countTransfers()) - before, service.workedFor.length]).toEqual([1, 1]);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled' });
});

test('a process that dies before the record: reconciliation records the settlement', async () => {
  const seller = await openLateSeller();
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  const { db, providers } = service.world;
  await reconcilePayments({ db, chain: providers, now: () => Date.now() + 170_000 });
  const { transaction } = readReceiptHeader(first);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled', transaction });
});

test('an operation whose settlement activates something is recorded before the response', async () => {
  const seller = await openLateSeller(false);
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled' });
  expect(seller.tasks).toEqual([]);
});

test('a settlement is recorded before the response if the platform accepts no task', async () => {
  const runAfterResponse = () => {
    throw new Error('no request scope');
  };
  const seller = await service.openSeller({ runAfterResponse }, { isRecordedLater: true });
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled' });
});
