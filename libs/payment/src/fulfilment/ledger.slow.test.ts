import type { Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFacilitator, createSeller, reconcilePayments } from '../index.ts';
import type { SellerOptions } from '../types.ts';
import {
  readChallengeHeader,
  encodePayment,
  createPayment,
  post,
  readReceiptHeader,
  sign,
  type Reply,
} from '../testing/buyer.ts';
import { openProxy, type Proxy } from '../testing/facilitator-proxy.ts';
import { openPaymentWorld, type PaymentWorld } from '../testing/payment-world.ts';
import { serveSeller } from '../testing/serve-seller.ts';

/**
 * Timeouts of the facilitator client in milliseconds. The timeouts are long because one machine runs all processes.
 */
const LONG_TIMEOUTS = { verifyMs: 60_000, settleMs: 60_000 };
const ROUTES = ['/v1/x402-trust', '/v1/x402-history'] as const;

/** Minimum number of calls. A longer run: `SLOW=1 LEDGER_CALLS=1000 npx vitest run --project slow ledger`. */
const CALLS = Number(process.env['LEDGER_CALLS'] ?? 150);

let world: PaymentWorld;
let proxy: Proxy;
beforeAll(async () => {
  world = await openPaymentWorld();
  proxy = await openProxy(world.facilitatorUrl);
});
afterAll(async () => {
  await proxy.close();
  await world.close();
});

/** Creates a pseudo-random generator of numbers from 0 to 1, with the same sequence in every run. */
const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Opens two sellers with one database, like two processes of one service. Counts the runs of the work per resource. */
const openSellers = async (payTo: Hex, options: Partial<SellerOptions> = {}) => {
  const worked = new Map<string, number>();
  const sellers = await Promise.all(
    [0, 1].map(() =>
      serveSeller(
        createSeller({
          db: world.db,
          facilitator: createFacilitator({ url: proxy.url, timeouts: LONG_TIMEOUTS }),
          chain: world.providers,
          network: world.network,
          payTo,
          baseUrl: 'https://touchstone.example',
          now: Date.now,
          // Each block of the sandbox's chain is at least one second later than the block before. This test mines many
          // blocks, so the time of the chain becomes later than our clock and the payments need a long validity.
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
  const close = () => Promise.all(sellers.map((seller) => seller.close()));
  return { worked, close, urls: sellers.map(({ url }) => url) };
};

/** Reads the payments to a wallet from the database, and the transfers to this wallet from the chain. */
const readAccounts = async (payTo: Hex) => {
  const { data } = await world.db.from('payments').select();
  const rows = (data ?? []).filter((row) => row.pay_to === payTo.toLowerCase());
  const ledger = rows
    .filter(({ state }) => state === 'settled')
    .map(({ transaction, payer, amount }) => [transaction, payer, BigInt(amount)]);
  const transfers = (await world.listTransfersTo(payTo)).map(({ transaction, payer, amount }) => [
    transaction,
    payer,
    amount,
  ]);
  return { rows, ledger: ledger.toSorted(), transfers: transfers.toSorted() };
};

/**
 * Lets the facilitator fail at random: errors before or after it processed a call, and false reports of success.
 * @returns hashes of the falsely reported transactions; these transactions do not exist on the chain
 */
const injectFaults = (random: () => number): ReadonlySet<string> => {
  const falseTransactions = new Set<string>();
  proxy.setFault(async ({ path, forward, response }) => {
    const draw = random();
    if (draw < 0.85) {
      // Only the first settlement is reported falsely. A later settlement may repeat a settlement that moved money
      // although its response was lost. Such a payment is not disputed.
      if (path !== '/settle' || falseTransactions.size > 0) return false;
      const transaction = `0x${(falseTransactions.size + 1).toString(16).padStart(64, '0')}`;
      falseTransactions.add(transaction);
      response.end(JSON.stringify({ success: true, transaction, network: world.network }));
      return true;
    }
    if (draw < 0.95) await forward();
    if (draw < 0.9) response.destroy();
    else response.writeHead(draw < 0.93 ? 200 : 502).end('<html>');
    return true;
  });
  return falseTransactions;
};

interface Purchase {
  readonly buyer: PrivateKeyAccount;
  readonly route: (typeof ROUTES)[number];
  readonly body: { readonly resource: string };
}

test(
  'calls of every kind: the payments table matches the chain, and every payer has the result',
  { timeout: 300_000 },
  async () => {
    const random = createRandom(402);
    const payTo = privateKeyToAddress(generatePrivateKey());
    const buyers = await Promise.all(Array.from({ length: 8 }, () => world.createWallet(1_000_000_000n)));
    const { urls, worked, close } = await openSellers(payTo);
    const pickUrl = (route: string) => `${urls[random() < 0.5 ? 0 : 1] ?? ''}${route}`;
    const falseTransactions = injectFaults(random);
    let calls = 0;
    const send = async (url: string, body: unknown, payment?: string): Promise<Reply> => {
      calls += 1;
      return post(url, body, payment === undefined ? {} : { payment });
    };
    const delivered: { reply: Reply; purchase: Purchase }[] = [];

    /** Repeats a request while the response has status 503 or the code `payment-in-progress`. */
    const sendUntilDecided = async ({ route, body }: Purchase, payment: string): Promise<Reply> => {
      for (;;) {
        const reply = await send(pickUrl(route), body, payment);
        if (reply.status !== 503 && !(reply.status === 409 && reply.body['code'] === 'payment-in-progress'))
          return reply;
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    const buyOnce = async (purchase: Purchase): Promise<string> => {
      const { payment } = await createPayment(purchase.buyer, pickUrl(purchase.route), purchase.body);
      calls += 1;
      const reply = await sendUntilDecided(purchase, payment);
      expect([reply.status, reply.body['error'], reply.body['about']]).toEqual([
        200,
        undefined,
        purchase.body.resource,
      ]);
      delivered.push({ reply, purchase });
      return payment;
    };
    const sendRefused = async (purchase: Purchase, changed: { amount?: string }, after = 0) => {
      const challenge = readChallengeHeader(await send(pickUrl(purchase.route), purchase.body));
      const accepts = challenge.accepts.map((terms) => ({
        ...terms,
        ...changed,
        ...(after ? { maxTimeoutSeconds: after } : {}),
      }));
      const payload = await sign(purchase.buyer, { ...challenge, accepts });
      const {
        accepts: [accepted],
      } = challenge;
      // The payment is sent twice: with the changed terms in `accepted`, and with the original terms of the challenge.
      for (const variant of accepted ? [payload, { ...payload, accepted }] : []) {
        expect(await sendUntilDecided(purchase, encodePayment(variant))).toMatchObject({
          status: 402,
          body: { notCharged: true },
        });
      }
    };
    const kinds: ((purchase: Purchase) => Promise<unknown>)[] = [
      buyOnce,
      buyOnce,
      buyOnce,
      async (purchase) => {
        const payment = await buyOnce(purchase);
        expect((await sendUntilDecided(purchase, payment)).status).toBe(200);
      },
      async (purchase) => {
        const { payment } = await createPayment(purchase.buyer, pickUrl(purchase.route), purchase.body);
        const replies = await Promise.all([1, 2, 3].map(() => sendUntilDecided(purchase, payment)));
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(replies[0]?.status).toBe(200);
        if (replies[0]) delivered.push({ reply: replies[0], purchase });
      },
      (purchase) => sendRefused(purchase, { amount: '1' }),
      (purchase) => sendRefused(purchase, {}, 30),
      async (purchase) => {
        const payment = await buyOnce(purchase);
        const other = ROUTES.find((route) => route !== purchase.route) ?? purchase.route;
        expect(await send(pickUrl(other), purchase.body, payment)).toMatchObject({
          status: 409,
          body: { code: 'payment-reused' },
        });
        const elsewhere = { resource: `${purchase.body.resource}/other` };
        expect(await send(pickUrl(purchase.route), elsewhere, payment)).toMatchObject({ status: 409 });
      },
      async (purchase) =>
        expect((await send(pickUrl(purchase.route), purchase.body, '%%%')).status).toBe(400),
      async (purchase) => expect((await send(pickUrl(purchase.route), 'garbage')).status).toBe(402),
    ];

    let purchases = 0;
    const buyUntilEnough = async (): Promise<void> => {
      while (calls < CALLS) {
        purchases += 1;
        const buyer = buyers[Math.floor(random() * buyers.length)];
        const kind = kinds[Math.floor(random() * kinds.length)];
        const route = ROUTES[random() < 0.5 ? 0 : 1];
        if (buyer && kind)
          await kind({ buyer, route, body: { resource: `https://api.example.com/${purchases}` } });
      }
    };
    await Promise.all(Array.from({ length: 12 }, buyUntilEnough));
    await close();

    const settled = delivered.filter(
      ({ reply }) => !falseTransactions.has(readReceiptHeader(reply).transaction),
    );
    expect(falseTransactions.size).toBeGreaterThan(0);
    expect(delivered).toHaveLength(settled.length + falseTransactions.size);
    // Reconciliation finds the false reports after the chain has passed the end of their authorizations.
    world.advanceTime(3_600 + 600 + 300);
    const now = () => Date.now() + 130_000;
    const counts = await reconcilePayments({
      db: world.db,
      chain: world.providers,
      now,
      limit: 1_000,
    });
    expect([counts.disputed, counts.failed, counts.open]).toEqual([falseTransactions.size, 0, 0]);

    const { rows, ledger, transfers } = await readAccounts(payTo);
    expect(ledger).toEqual(transfers);
    expect(transfers).toHaveLength(settled.length);
    expect(settled.length).toBeGreaterThan(CALLS * 0.1);
    const states = Object.groupBy(rows, ({ state }) => state);
    expect([states['settled']?.length, states['disputed']?.length]).toEqual([
      settled.length,
      falseTransactions.size,
    ]);
    expect(rows).toHaveLength(delivered.length);
    expect(await world.readBalance(payTo)).toBe(
      settled.reduce((sum, { purchase }) => sum + (purchase.route === ROUTES[0] ? 5_000n : 20_000n), 0n),
    );
    expect([...worked.values()].every((times) => times === 1)).toBe(true);
    expect(worked.size).toBe(delivered.length);
    const receipts = new Set(settled.map(({ reply }) => readReceiptHeader(reply).transaction));
    expect(receipts).toEqual(new Set(transfers.map(([transaction]) => transaction)));
  },
);
