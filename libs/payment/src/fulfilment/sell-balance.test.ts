import type { PrivateKeyAccount } from 'viem';
import { createProviders } from '@touchstone/chain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFacilitator } from '../index.ts';
import { createPayment, post, type Reply } from '../testing/buyer.ts';
import { respondWith } from '../testing/facilitator-proxy.ts';
import { BODY, openTestService, toStatusAndCode, type TestService } from '../testing/test-service.ts';

const PRICE = 5_000n;
/** Timeouts of the facilitator client in milliseconds. They are long because this machine runs all processes. */
const LONG_TIMEOUTS = { verifyMs: 60_000, settleMs: 60_000 };

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

/** Opens a seller that waits for a slow facilitator. */
const openSellerWithLongTimeouts = () => {
  const facilitator = createFacilitator({ url: service.proxy.url, timeouts: LONG_TIMEOUTS });
  return service.openSeller({ facilitator });
};

/** Sends many payments of one wallet at the same time, each for a different resource. */
const sendMany = async (payer: PrivateKeyAccount, url: string, count: number): Promise<Reply[]> => {
  const payments = await Promise.all(Array.from({ length: count }, () => createPayment(payer, url, BODY)));
  return Promise.all(
    payments.map(({ payment }, index) =>
      post(url, { resource: `https://h${index}.example.com/` }, { payment }),
    ),
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
  const seller = await openSellerWithLongTimeouts();
  const poorPayer = await service.world.createWallet(PRICE);
  service.behavior.work = async (input, buyer, context) => {
    await new Promise((done) => setTimeout(done, 1_000));
    return service.defaultWork(input, buyer, context);
  };
  const before = await service.countTransfers();
  const replies = await sendMany(poorPayer, seller.trust, 20);
  expect(countReplies(replies)).toEqual({ '200': 1, '402 insufficient_funds': 19 });
  for (const { status, body } of replies) expect(body['notCharged']).toBe(status === 402 ? true : undefined);
  expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
});

test(
  'a wallet with USDC for 50 payments buys 50 results at the same time',
  { timeout: 120_000 },
  async () => {
    const seller = await openSellerWithLongTimeouts();
    const payer = await service.world.createWallet(50n * PRICE);
    expect(countReplies(await sendMany(payer, seller.trust, 50))).toEqual({ '200': 50 });
    expect(await service.world.readBalance(payer.address)).toBe(0n);
    expect(service.workedFor).toHaveLength(50);
  },
);

test('no work is done and nothing is charged while the balance cannot be read', async () => {
  const { network } = service.world;
  const sleep = () => Promise.resolve();
  const urls = ['http://127.0.0.1:1/'];
  const seller = await service.openSeller({
    chain: createProviders({ network, urls, fetch, sleep, now: Date.now }),
  });
  service.behavior.work = async (input, buyer, context) => {
    await new Promise((done) => setTimeout(done, 500));
    return service.defaultWork(input, buyer, context);
  };
  const replies = await sendMany(await service.world.createWallet(), seller.trust, 3);
  expect(countReplies(replies)).toEqual({ '200': 1, '503 payment-unavailable': 2 });
  for (const { status, body } of replies) expect(body['notCharged']).toBe(status === 503 ? true : undefined);
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
