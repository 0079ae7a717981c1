import type { PrivateKeyAccount } from 'viem';
import { createProviders } from '@touchstone/chain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFacilitator } from './index.ts';
import { paymentFor, post, type Reply } from './testing/buyer.ts';
import { answering } from './testing/facilitator-proxy.ts';
import { BODY, openStreet, shown, type Street } from './testing/street.ts';

const PRICE = 5_000n;

let street: Street;
beforeAll(async () => {
  street = await openStreet();
});
afterEach(() => street.tidy());
afterAll(() => street.close());

/** Sends many payments of one wallet at once, each for another thing. */
const fire = async (payer: PrivateKeyAccount, url: string, count: number): Promise<Reply[]> => {
  const payments = await Promise.all(Array.from({ length: count }, () => paymentFor(payer, url, BODY)));
  return Promise.all(
    payments.map(({ payment }, index) =>
      post(url, { resource: `https://h${index}.example.com/` }, { payment }),
    ),
  );
};

/** How often each answer was given. */
const tally = (replies: readonly Reply[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, (reply) => shown(reply).join(' ').trim())).map(
      ([answer, same]) => [answer, same?.length],
    ),
  );

test('one balance buys one work, however many payments are signed on it', async () => {
  const shop = await street.openShop();
  const poor = await street.market.wallet(PRICE);
  street.ways.work = async (input, purchase) => {
    await new Promise((done) => setTimeout(done, 1_000));
    return street.honest(input, purchase);
  };
  const before = await street.earned();
  const replies = await fire(poor, shop.trust, 20);
  expect(tally(replies)).toEqual({ '200': 1, '402 insufficient_funds': 19 });
  for (const { status, body } of replies) expect(body['notCharged']).toBe(status === 402 ? true : undefined);
  expect([street.worked.length, (await street.earned()) - before]).toEqual([1, 1]);
});

test('a wallet that has enough for fifty buys fifty at once', { timeout: 120_000 }, async () => {
  // A machine that does everything at once lets everybody wait.
  const timeouts = { verifyMs: 60_000, settleMs: 60_000 };
  const facilitator = createFacilitator({ url: street.proxy.url, timeouts });
  const shop = await street.openShop({ facilitator });
  const payer = await street.market.wallet(50n * PRICE);
  expect(tally(await fire(payer, shop.trust, 50))).toEqual({ '200': 50 });
  expect(await street.market.balanceOf(payer.address)).toBe(0n);
  expect(street.worked).toHaveLength(50);
});

test('nobody is worked for whose balance cannot be read, and nothing is charged', async () => {
  const { network } = street.market;
  const sleep = () => Promise.resolve();
  const urls = ['http://127.0.0.1:1/'];
  const shop = await street.openShop({
    chain: createProviders({ network, urls, fetch, sleep, now: Date.now }),
  });
  street.ways.work = async (input, purchase) => {
    await new Promise((done) => setTimeout(done, 500));
    return street.honest(input, purchase);
  };
  const replies = await fire(await street.market.wallet(), shop.trust, 3);
  expect(tally(replies)).toEqual({ '200': 1, '503 payment-unavailable': 2 });
  for (const { status, body } of replies) expect(body['notCharged']).toBe(status === 503 ? true : undefined);
  expect(street.worked).toHaveLength(1);
});

test('a payer whose payments are refused again and again is not worked for, until one is settled', async () => {
  const shop = await street.openShop();
  const payer = await street.market.wallet();
  const refused = { success: false, errorReason: 'insufficient_funds', transaction: '' };
  street.proxy.be(answering('/settle', { ...refused, network: street.market.network }));
  const attempt = async () => {
    const { payment } = await paymentFor(payer, shop.trust, BODY);
    return post(shop.trust, BODY, { payment });
  };
  for (let count = 1; count <= 3; count += 1) expect((await attempt()).status).toBe(402);
  const limited = await street.costsNothing(attempt);
  expect(shown(limited)).toEqual([429, 'rate-limited']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  expect(street.worked).toHaveLength(3);
  street.proxy.be(null);
  const { payment } = await paymentFor(street.payer, shop.trust, BODY);
  expect((await post(shop.trust, BODY, { payment })).status).toBe(200);
});
