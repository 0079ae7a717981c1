import { createProviders } from '@touchstone/chain';
import { createProblem } from '@touchstone/contract';
import { refusePayment } from '@touchstone/store';
import type { PrivateKeyAccount } from 'viem';
import { describe, expect, test } from 'vitest';
import { createPayment, post, type Reply } from '../testing/buyer.ts';
import { cutConnection, respondWith } from '../testing/facilitator-proxy.ts';
import { BODY, interceptCalls, useTestService, toStatusAndCode } from '../testing/test-service.ts';

const service = useTestService();

/** Opens a seller whose calls of the given database functions fail. */
const openSellerWithout = (...names: readonly string[]) =>
  service.openSeller({
    db: interceptCalls(service.world.db, async (name) => {
      if (names.includes(name)) throw new Error(`${name} is unreachable`);
    }),
  });

const refuseWork = async () => ({ problem: createProblem('not-probeable', 'It failed.') });

describe('a request whose lease was taken over has no notCharged', () => {
  test.each([
    ['settles the payment', () => service.defaultWork, 200],
    ['releases the payment', () => refuseWork, 422],
  ] as const)('when the other request %s', async (_, getWork, status) => {
    const { seller, payment } = await service.preparePayment();
    service.behavior.work = async (input, buyer, context) => {
      service.behavior.work = getWork();
      await service.endLeases();
      expect((await post(seller.trust, BODY, { payment })).status).toBe(status);
      return service.defaultWork(input, buyer, context);
    };
    const late = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(late)).toEqual([409, 'payment-in-progress']);
    expect(late.text).not.toMatch(/notCharged|nothing was charged/i);
  });
});

test('a request that claims a payment that failed after its row was read verifies the payment', async () => {
  const { seller, payment, nonce } = await service.preparePayment();
  service.proxy.setFault(cutConnection('/settle', 'before'));
  expect((await post(seller.trust, BODY, { payment })).status).toBe(503);
  service.proxy.setFault(null);
  const row = await service.findPaymentRow(nonce);
  const { db } = service.world;
  const refuseBeforeClaim = async (name: string) => {
    if (name === 'claim_payment' && row) expect(await refusePayment(db, row, Date.now())).toBe(true);
  };
  const racing = await service.openSeller({ db: interceptCalls(db, refuseBeforeClaim) });
  // The payment is more than 30 seconds old, so the seller looks up the payment before it verifies the payment.
  service.behavior.clockOffsetMs = 31_000;
  service.proxy.calls.length = 0;
  expect((await post(racing.trust, BODY, { payment })).status).toBe(200);
  expect(service.proxy.calls).toEqual(['/verify', '/settle']);
});

test('a result that cannot be stored is not charged, and the payment is released', async () => {
  const seller = await openSellerWithout('store_payment_result');
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
  expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
});

test('a response has no notCharged if the payment could not be released', async () => {
  const seller = await openSellerWithout('store_payment_result', 'release_payment');
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const reply = await post(seller.trust, BODY, { payment });
  expect(toStatusAndCode(reply)).toEqual([500, 'internal']);
  expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
});

const PRICE = 5_000n;

/**
 * Sends many payments of one wallet at the same time, each for a different resource. `refused` is the number of replies
 * after which the work of all requests ends.
 */
const sendMany = async (
  payer: PrivateKeyAccount,
  url: string,
  { count, refused }: { readonly count: number; readonly refused: number },
): Promise<Reply[]> => {
  const countReply = refused > 0 ? service.holdWork(refused) : () => undefined;
  const payments = await Promise.all(Array.from({ length: count }, () => createPayment(payer, url, BODY)));
  return Promise.all(
    payments.map(async ({ payment }, index) => {
      const reply = await post(url, { resource: `https://h${index}.example.com/` }, { payment });
      countReply();
      return reply;
    }),
  );
};

/** Counts the replies by status and code. */
const countReplies = (replies: readonly Reply[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, (reply) => toStatusAndCode(reply).join(' ').trim())).map(
      ([response, same]) => [response, same?.length],
    ),
  );

test('the work is done once for a balance that covers one payment, however many are signed', async () => {
  const seller = await service.openSellerWithLongTimeouts();
  const poorPayer = await service.world.createWallet(PRICE);
  const before = await service.countTransfers();
  const replies = await sendMany(poorPayer, seller.trust, { count: 20, refused: 19 });
  expect(countReplies(replies)).toEqual({ '200': 1, '402 insufficient_funds': 19 });
  for (const { status, body } of replies) expect(body['notCharged']).toBe(status === 402 ? true : undefined);
  expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
});

test('a wallet with USDC for 10 payments buys 10 results at the same time', async () => {
  const seller = await service.openSellerWithLongTimeouts();
  const payer = await service.world.createWallet(10n * PRICE);
  expect(countReplies(await sendMany(payer, seller.trust, { count: 10, refused: 0 }))).toEqual({ '200': 10 });
  expect(await service.world.readBalance(payer.address)).toBe(0n);
  expect(service.workedFor).toHaveLength(10);
});

test('no work is done while the balance cannot be read, and no response says that nothing was charged', async () => {
  const { network } = service.world;
  const sleep = () => Promise.resolve();
  const urls = ['http://127.0.0.1:1/'];
  const seller = await service.openSeller({
    chain: createProviders({ network, urls, fetch, sleep, now: Date.now }),
  });
  const payer = await service.world.createWallet();
  const replies = await sendMany(payer, seller.trust, { count: 3, refused: 2 });
  expect(countReplies(replies)).toEqual({ '200': 1, '503 payment-unavailable': 2 });
  for (const { body } of replies) expect(body).not.toHaveProperty('notCharged');
  expect(service.workedFor).toHaveLength(1);
});

test('a payer whose payments were refused at settlement three times is limited', async () => {
  const seller = await service.openSeller();
  const payer = await service.world.createWallet();
  const refused = { success: false, errorReason: 'insufficient_funds', transaction: '' };
  service.proxy.setFault(respondWith('/settle', { ...refused, network: service.world.network }));
  const attempt = async () => {
    const { payment } = await createPayment(payer, seller.trust, BODY);
    return post(seller.trust, BODY, { payment });
  };
  for (let count = 1; count <= 3; count += 1) expect((await attempt()).status).toBe(402);
  const limited = await service.expectNotCharged(attempt);
  expect(toStatusAndCode(limited)).toEqual([429, 'rate-limited']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  expect(service.workedFor).toHaveLength(3);
  service.proxy.setFault(null);
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
});
