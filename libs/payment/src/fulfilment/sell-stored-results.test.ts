import { randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { expect, test } from 'vitest';
import { reconcilePayments } from '../index.ts';
import type { ResultCipher, SellerOptions } from '../types.ts';
import { createPayment, encodePayment, post, buy, readReceiptHeader } from '../testing/buyer.ts';
import { cutConnection } from '../testing/facilitator-proxy.ts';
import { CLIENT_HEADER } from '../testing/serve-seller.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const SECRET = 'wsk_only-the-buyer-may-read-this';

const service = useTestService();

const createCipher = (): ResultCipher => {
  const key = randomBytes(32);
  return {
    encrypt: (text) =>
      new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key),
    decrypt: async (text) => Buffer.from((await compactDecrypt(text, key)).plaintext).toString('utf8'),
  };
};

const openSecretSeller = (cipher: ResultCipher | null, options: Partial<SellerOptions> = {}) => {
  service.behavior.work = async (input, buyer, context) => {
    await service.defaultWork(input, buyer, context);
    return { body: { secret: SECRET } };
  };
  return service.openSeller(options, { cipher, publicReplaySeconds: 60 });
};

test('a stored result is encrypted, and is sent again by another process with the same key', async () => {
  const cipher = createCipher();
  const [seller, other] = [await openSecretSeller(cipher), await openSecretSeller(cipher)];
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  expect(first).toMatchObject({ status: 200, body: { secret: SECRET } });
  const row = await service.findPaymentRow(nonce);
  expect(row?.result).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.stringify(row)).not.toContain(SECRET);
  const again = await post(other.trust, BODY, { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(service.workedFor).toHaveLength(1);
});

test.each(['before', 'after'] as const)(
  'an encrypted result is sent after a settlement whose call was cut %s it, with one charge',
  async (when) => {
    const seller = await openSecretSeller(createCipher());
    const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
    const before = await service.countTransfers();
    service.proxy.setFault(cutConnection('/settle', when));
    expect(toStatusAndCode(await post(seller.trust, BODY, { payment }))).toEqual([
      503,
      'payment-unavailable',
    ]);
    expect(JSON.stringify(await service.findPaymentRow(nonce))).not.toContain(SECRET);
    service.proxy.setFault(null);
    const reply = await post(seller.trust, BODY, { payment });
    expect(reply).toMatchObject({ status: 200, body: { secret: SECRET } });
    expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
  },
);

test.each([
  ['another key', createCipher()],
  ['no key', null],
])('a settled result that cannot be decrypted with %s is not charged again', async (_, wrong) => {
  const [seller, other] = [await openSecretSeller(createCipher()), await openSecretSeller(wrong)];
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  const before = await service.countTransfers();
  service.proxy.calls.length = 0;
  const failed = await post(other.trust, BODY, { payment });
  expect(toStatusAndCode(failed)).toEqual([500, 'internal']);
  expect(failed.body).not.toHaveProperty('notCharged');
  // The other process has not received this payment before, so the process may verify the payment again.
  expect(service.proxy.calls).not.toContain('/settle');
  expect(await service.countTransfers()).toBe(before);
  // Now the encryption key is available again.
  expect((await post(seller.trust, BODY, { payment })).text).toBe(first.text);
  expect(service.workedFor).toHaveLength(1);
});

test.each([
  ['another key', createCipher()],
  ['no key', null],
])('a payment whose result cannot be decrypted with %s is not settled', async (_, wrong) => {
  const [seller, other] = [await openSecretSeller(createCipher()), await openSecretSeller(wrong)];
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const before = await service.countTransfers();
  service.proxy.setFault(cutConnection('/settle', 'before'));
  await post(seller.trust, BODY, { payment });
  service.proxy.setFault(null);
  service.proxy.calls.length = 0;
  const failed = await post(other.trust, BODY, { payment });
  expect(toStatusAndCode(failed)).toEqual([500, 'internal']);
  expect(failed.body).not.toHaveProperty('notCharged');
  expect(service.proxy.calls).not.toContain('/settle');
  expect(await service.countTransfers()).toBe(before);
  // The lease was released, so a process that has the decryption key of the result settles the payment at once.
  const reply = await post(seller.trust, BODY, { payment });
  expect(reply).toMatchObject({ status: 200, body: { secret: SECRET } });
  expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
});

test('nothing is charged for a result that cannot be encrypted', async () => {
  const seller = await openSecretSeller(null);
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
  expect(reply.text).not.toContain(SECRET);
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
});

test('a payment without the secret of its challenge gets an operation’s result for its own time only', async () => {
  const seller = await openSecretSeller(createCipher());
  const { payload } = await createPayment(service.payer, seller.trust, BODY);
  const payment = encodePayment({ ...payload, extensions: {} });
  const first = await post(seller.trust, BODY, { payment });
  service.behavior.clockOffsetMs = 50_000;
  expect((await post(seller.trust, BODY, { payment })).text).toBe(first.text);
  service.behavior.clockOffsetMs = 70_000;
  const late = await post(seller.trust, BODY, { payment });
  expect(toStatusAndCode(late)).toEqual([409, 'payment-reused']);
  expect(late.text).not.toContain(SECRET);
  expect(late.body['detail']).toContain('60 seconds');
  // The buyer with the secret of the challenge still gets the result of its payment.
  const withSecret = await createPayment(service.payer, seller.trust, BODY);
  const bought = await post(seller.trust, BODY, { payment: withSecret.payment });
  service.behavior.clockOffsetMs += 3_600_000;
  expect((await post(seller.trust, BODY, { payment: withSecret.payment })).text).toBe(bought.text);
});

test('a payment without the secret of its challenge gets a secret result only at the client that bought it', async () => {
  // Both clients are in one network, which is one client in the queues.
  const seller = await openSecretSeller(createCipher(), { toQueueClient: () => 'network' });
  const { payload, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const payment = encodePayment({ ...payload, extensions: {} });
  const send = (client: string) =>
    post(seller.trust, BODY, { payment, headers: { [CLIENT_HEADER]: client } });
  const expectWithheld = async (...expected: readonly unknown[]) => {
    const stolen = await send('203.0.113.9');
    expect(toStatusAndCode(stolen)).toEqual(expected);
    expect(stolen.text).not.toMatch(/wsk_|notCharged/);
  };
  const before = await service.countTransfers();
  service.proxy.setFault(cutConnection('/settle', 'after'));
  expect((await send('203.0.113.1')).status).toBe(503);
  service.proxy.setFault(null);
  // The payment is on the chain, and its settlement is not recorded yet.
  await expectWithheld(503, 'payment-unavailable');
  const bought = await send('203.0.113.1');
  expect(bought).toMatchObject({ status: 200, body: { secret: SECRET } });
  await expectWithheld(409, 'payment-reused');
  expect((await send('203.0.113.1')).text).toBe(bought.text);
  expect(JSON.stringify(await service.findPaymentRow(nonce))).not.toContain('203.0.113');
  expect((await service.countTransfers()) - before).toBe(1);
});

/** Opens a seller that records a settlement only when the test runs the tasks of the seller. */
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
  // The payer can buy again while the first settlement is not recorded yet.
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
  await service.endLeases();
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
