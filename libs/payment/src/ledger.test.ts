import type { Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFacilitator, createSeller, reconcilePayments, type SellerOptions } from './index.ts';
import { challengeOf, encoded, paymentFor, post, receiptIn, sign, type Reply } from './testing/buyer.ts';
import { openProxy, type Proxy } from './testing/facilitator-proxy.ts';
import { openMarket, type Market } from './testing/market.ts';
import { serveShop } from './testing/serve-shop.ts';

/** A machine that does everything at once lets everybody wait. */
const PATIENT = { verifyMs: 60_000, settleMs: 60_000 };
const ROUTES = ['/v1/x402-trust', '/v1/x402-history'] as const;

let market: Market;
let proxy: Proxy;
beforeAll(async () => {
  market = await openMarket();
  proxy = await openProxy(market.facilitatorUrl);
});
afterAll(async () => {
  await proxy.close();
  await market.close();
});

/** Numbers from 0 to 1, the same in every run. */
const numbers = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Sellers of one service, each as a process of its own has it, and how often each thing was worked for. */
const openShops = async (payTo: Hex, options: Partial<SellerOptions> = {}) => {
  const worked = new Map<string, number>();
  const shops = await Promise.all(
    [0, 1].map(() =>
      serveShop(
        createSeller({
          db: market.db,
          facilitator: createFacilitator({ url: proxy.url, timeouts: PATIENT }),
          chain: market.providers,
          network: market.network,
          payTo,
          baseUrl: 'https://touchstone.example',
          now: Date.now,
          // The sandbox's chain makes a block a second at most by its own clock, and is ahead of ours in this hurry.
          maxTimeoutSeconds: 3_600,
          ...options,
        }),
        ({ resource }) => {
          worked.set(resource, (worked.get(resource) ?? 0) + 1);
          return Promise.resolve({ body: { about: resource } });
        },
      ),
    ),
  );
  const close = () => Promise.all(shops.map((shop) => shop.close()));
  return { worked, close, urls: shops.map(({ url }) => url) };
};

/** What the database says was settled to a wallet, and what the chain does. */
const accounts = async (payTo: Hex) => {
  const { data } = await market.db.from('payments').select();
  const rows = (data ?? []).filter((row) => row.pay_to === payTo.toLowerCase());
  const ledger = rows
    .filter(({ state }) => state === 'settled')
    .map(({ transaction, payer, amount }) => [transaction, payer, BigInt(amount)]);
  const transfers = (await market.transfersTo(payTo)).map(({ transaction, payer, amount }) => [
    transaction,
    payer,
    amount,
  ]);
  return { rows, ledger: ledger.toSorted(), transfers: transfers.toSorted() };
};

/**
 * Fails now and then, in every way it can, before and after it has done what it was asked for, and lies about success.
 * @returns the transactions that it made up
 */
const failAtRandom = (random: () => number): ReadonlySet<string> => {
  const lies = new Set<string>();
  proxy.be(async ({ path, pass, response }) => {
    const fate = random();
    if (fate < 0.85) {
      if (path !== '/settle' || fate > 0.03) return false;
      const transaction = `0x${(lies.size + 1).toString(16).padStart(64, '0')}`;
      lies.add(transaction);
      response.end(JSON.stringify({ success: true, transaction, network: market.network }));
      return true;
    }
    if (fate < 0.95) await pass();
    if (fate < 0.9) response.destroy();
    else response.writeHead(fate < 0.93 ? 200 : 502).end('<html>');
    return true;
  });
  return lies;
};

test('two hundred buyers at once: nobody pays twice and nothing is lost', { timeout: 300_000 }, async () => {
  proxy.be(null);
  const payTo = privateKeyToAddress(generatePrivateKey());
  const buyers = await Promise.all(Array.from({ length: 200 }, () => market.wallet(5_000n)));
  const { urls, worked, close } = await openShops(payTo);
  const replies = await Promise.all(
    buyers.map(async (buyer, index) => {
      const url = `${urls[index % 2] ?? ''}/v1/x402-trust`;
      const body = { resource: `https://api.example.com/${index}` };
      const { payment } = await paymentFor(buyer, url, body);
      return post(url, body, { payment });
    }),
  );
  await close();
  expect(replies.map(({ status, body }) => [status, body['error'] ?? body['code']])).toEqual(
    replies.map(() => [200, undefined]),
  );
  const { ledger, transfers } = await accounts(payTo);
  expect(transfers).toHaveLength(200);
  expect(ledger).toEqual(transfers);
  expect(new Set(transfers.map(([, payer]) => payer)).size).toBe(200);
  expect([worked.size, Math.max(...worked.values())]).toEqual([200, 1]);
  expect(await market.balanceOf(payTo)).toBe(1_000_000n);
});

interface Wish {
  readonly buyer: PrivateKeyAccount;
  readonly route: (typeof ROUTES)[number];
  readonly body: { readonly resource: string };
}

// The chain's clock does not go back, so what makes it go on comes last.
test(
  'a thousand calls of every kind: the ledger balances with the chain, and who paid has the result',
  { timeout: 300_000 },
  async () => {
    const random = numbers(402);
    const payTo = privateKeyToAddress(generatePrivateKey());
    const buyers = await Promise.all(Array.from({ length: 8 }, () => market.wallet(1_000_000_000n)));
    const { urls, worked, close } = await openShops(payTo);
    const at = (route: string) => `${urls[random() < 0.5 ? 0 : 1] ?? ''}${route}`;
    const lies = failAtRandom(random);
    let calls = 0;
    const send = async (url: string, body: unknown, payment?: string): Promise<Reply> => {
      calls += 1;
      return post(url, body, payment === undefined ? {} : { payment });
    };
    const paidFor: { reply: Reply; wish: Wish }[] = [];

    /** A buyer who is told that something is not certain, or not possible now, sends the same again. */
    const insist = async ({ route, body }: Wish, payment: string): Promise<Reply> => {
      for (;;) {
        const reply = await send(at(route), body, payment);
        if (reply.status !== 503 && !(reply.status === 409 && reply.body['code'] === 'payment-in-progress'))
          return reply;
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    const honest = async (wish: Wish): Promise<string> => {
      const { payment } = await paymentFor(wish.buyer, at(wish.route), wish.body);
      calls += 1;
      const reply = await insist(wish, payment);
      expect([reply.status, reply.body['error'], reply.body['about']]).toEqual([
        200,
        undefined,
        wish.body.resource,
      ]);
      paidFor.push({ reply, wish });
      return payment;
    };
    const refusedFor = async (wish: Wish, changed: { amount?: string }, after = 0) => {
      const challenge = challengeOf(await send(at(wish.route), wish.body));
      const accepts = challenge.accepts.map((terms) => ({
        ...terms,
        ...changed,
        ...(after ? { maxTimeoutSeconds: after } : {}),
      }));
      const payload = await sign(wish.buyer, { ...challenge, accepts });
      const {
        accepts: [accepted],
      } = challenge;
      // As it came, and with terms that look right.
      for (const dressed of accepted ? [payload, { ...payload, accepted }] : []) {
        expect(await insist(wish, encoded(dressed))).toMatchObject({
          status: 402,
          body: { notCharged: true },
        });
      }
    };
    const kinds: ((wish: Wish) => Promise<unknown>)[] = [
      honest,
      honest,
      honest,
      async (wish) => {
        const payment = await honest(wish);
        expect((await insist(wish, payment)).status).toBe(200);
      },
      async (wish) => {
        const { payment } = await paymentFor(wish.buyer, at(wish.route), wish.body);
        const replies = await Promise.all([1, 2, 3].map(() => insist(wish, payment)));
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(replies[0]?.status).toBe(200);
        if (replies[0]) paidFor.push({ reply: replies[0], wish });
      },
      (wish) => refusedFor(wish, { amount: '1' }),
      (wish) => refusedFor(wish, {}, 30),
      async (wish) => {
        const payment = await honest(wish);
        const other = ROUTES.find((route) => route !== wish.route) ?? wish.route;
        expect(await send(at(other), wish.body, payment)).toMatchObject({
          status: 409,
          body: { code: 'payment-reused' },
        });
        const elsewhere = { resource: `${wish.body.resource}/other` };
        expect(await send(at(wish.route), elsewhere, payment)).toMatchObject({ status: 409 });
      },
      async (wish) => expect((await send(at(wish.route), wish.body, '%%%')).status).toBe(400),
      async (wish) => expect((await send(at(wish.route), 'garbage')).status).toBe(402),
    ];

    let wishes = 0;
    const buyUntilEnough = async (): Promise<void> => {
      while (calls < 1_000) {
        wishes += 1;
        const buyer = buyers[Math.floor(random() * buyers.length)];
        const kind = kinds[Math.floor(random() * kinds.length)];
        const route = ROUTES[random() < 0.5 ? 0 : 1];
        if (buyer && kind)
          await kind({ buyer, route, body: { resource: `https://api.example.com/${wishes}` } });
      }
    };
    await Promise.all(Array.from({ length: 12 }, buyUntilEnough));
    await close();

    const sold = paidFor.filter(({ reply }) => !lies.has(receiptIn(reply).transaction));
    expect(lies.size).toBeGreaterThan(0);
    expect(paidFor).toHaveLength(sold.length + lies.size);
    // The facilitator said so; the chain finds out once it can no longer be right.
    await market.passTime(3_600 + 600 + 300);
    const now = () => Date.now() + 130_000;
    const counts = await reconcilePayments({
      db: market.db,
      chain: market.providers,
      now,
      limit: 1_000,
    });
    expect([counts.disputed, counts.failed, counts.open]).toEqual([lies.size, 0, 0]);

    const { rows, ledger, transfers } = await accounts(payTo);
    expect(ledger).toEqual(transfers);
    expect(transfers).toHaveLength(sold.length);
    expect(sold.length).toBeGreaterThan(150);
    const states = Object.groupBy(rows, ({ state }) => state);
    expect([states['settled']?.length, states['disputed']?.length]).toEqual([sold.length, lies.size]);
    expect(rows).toHaveLength(paidFor.length);
    expect(await market.balanceOf(payTo)).toBe(
      sold.reduce((sum, { wish }) => sum + (wish.route === ROUTES[0] ? 5_000n : 20_000n), 0n),
    );
    expect([...worked.values()].every((times) => times === 1)).toBe(true);
    expect(worked.size).toBe(paidFor.length);
    const receipts = new Set(sold.map(({ reply }) => receiptIn(reply).transaction));
    expect(receipts).toEqual(new Set(transfers.map(([transaction]) => transaction)));
  },
);
