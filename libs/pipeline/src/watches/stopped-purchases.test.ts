import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchCreatedSchema, watchRenewedSchema } from '@touchstone/contract';
import { reconcilePayments } from '@touchstone/payment';
import { createPayment, post, type PaymentWorld, type Reply } from '@touchstone/payment/testing';
import { prunePayments } from '@touchstone/store';
import { createCipher } from '@touchstone/watch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectBalanced, expectWithoutSecrets, readRows, toSecrets } from '../testing/purchase-books.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { openWatchSellers, PAY_TO, type StopPoint } from '../testing/watch-sellers.ts';
import { BASE_URL, createWatchKey } from '../testing/watch-world.ts';
import { advanceWatches } from './advance-watches.ts';
import { readWatch } from './read-watch.ts';

// Watches and renewals are bought from simulated processes that end at a known point of the purchase. Each process has
// several purchases under way when it ends.

const ENDPOINT = 'https://api.example.com/weather';
const PRICE = 200_000n;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Time after which the reconciliation takes over open payments: two minutes after the end of their lease. */
const RECONCILE_MS = 130_000;
type Wallet = Awaited<ReturnType<PaymentWorld['createWallet']>>;
const cipher = createCipher([createWatchKey()]);
/** Texts that only buyers know: parts of delivery URLs, and the secrets of watches. */
const secrets = new Set<string>();
let sellers: Awaited<ReturnType<typeof openWatchSellers>>;
let world: PaymentWorld;
/** Wallets that pay in turn, because the connection tests of each payer are limited. */
const payers: Wallet[] = [];
let payments = 0;
/** URL of a seller that does not end. */
let survivor: string;
/** Ids of three watches that are renewed. A watch has at most one renewal under way. */
let renewed: readonly string[];

beforeAll(async () => {
  sellers = await openWatchSellers(cipher);
  ({ world } = sellers);
  await storeProbedEndpoint(world.db, sellers.now(), { resource: ENDPOINT });
  for (let wallet = 0; wallet < 4; wallet += 1) payers.push(await world.createWallet(5_000_000n));
  survivor = sellers.url;
  renewed = [await buyWatch(), await buyWatch(), await buyWatch()];
});
afterAll(() => sellers.close());

/** Request for a watch or a renewal, with its signed payment. `watchId` is null for a creation. */
interface Purchase {
  readonly path: string;
  readonly body: object | '';
  readonly watchId: string | null;
  readonly payer: Wallet;
  readonly payment: string;
  readonly nonce: `0x${string}`;
}

async function preparePurchase(request: Pick<Purchase, 'path' | 'body' | 'watchId'>): Promise<Purchase> {
  const url = new URL(request.path, survivor).href;
  const payer = payers[payments % payers.length];
  if (!payer) throw new Error('no wallet was created');
  payments += 1;
  const { payment, nonce } = await createPayment(payer, url, request.body);
  return { ...request, payer, payment, nonce };
}

function prepareCreation(): Promise<Purchase> {
  const token = randomBytes(16).toString('hex');
  secrets.add(token);
  const delivery = {
    webhook_url: `https://one.example.net/${token}`,
    slack_url: `https://hooks.slack.com/services/${token}`,
  };
  return preparePurchase({
    path: '/v1/watch-endpoint-30d',
    body: { endpoint: ENDPOINT, delivery },
    watchId: null,
  });
}

function prepareRenewal(watchId = ''): Promise<Purchase> {
  return preparePurchase({ path: `/v1/watch/${watchId}/renew`, body: '', watchId });
}

const send = ({ path, body, payment }: Purchase, url = survivor): Promise<Reply> =>
  post(new URL(path, url).href, body, { payment });

async function sendUntilDecided(purchase: Purchase): Promise<Reply> {
  for (;;) {
    const reply = await send(purchase);
    if (reply.status !== 409) return reply;
    expect(reply.body['code']).toBe('payment-in-progress');
    await sleep(100);
  }
}

/** Sends purchases to a new seller, which ends when all of them have reached the point. */
const stopAt = (point: StopPoint, purchases: readonly Purchase[]): Promise<void> =>
  sellers.stopAt(point, purchases.length, (url) => purchases.map((purchase) => send(purchase, url)));

/** Buys a watch from the seller that does not end. Returns its id. */
async function buyWatch(): Promise<string> {
  const purchase = await prepareCreation();
  await expectSold(purchase);
  return (await findStored(purchase)).watch_id;
}

const findStored = async ({ nonce }: Purchase) => {
  const { purchases } = await readRows(world.db);
  const stored = purchases.find((row) => row.nonce === nonce);
  if (!stored) throw new Error(`no purchase is stored for the payment ${nonce}`);
  return stored;
};

/**
 * Sends a purchase until it is decided, and checks that the response has what was bought: a secret that opens an active
 * watch, or the new end of the renewed watch. Sending it once more returns the same response.
 */
async function expectSold(purchase: Purchase): Promise<void> {
  const reply = await sendUntilDecided(purchase);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  if (purchase.watchId === null) {
    const created = watchCreatedSchema.parse(reply.body);
    const { watch_id: id, secret, expires_at: expiresAt } = created;
    expect(await readWatch({ db: world.db, baseUrl: BASE_URL }, { id, secret })).toMatchObject({
      kind: 'result',
      body: { status: 'active', expires_at: expiresAt, delivery: { webhooks: [{}], chats: [{}] } },
    });
    expect((await findStored(purchase)).watch_id).toBe(id);
    for (const text of toSecrets(created)) secrets.add(text);
  } else {
    const { expires_at: expiresAt } = watchRenewedSchema.parse(reply.body);
    const { data } = await world.db
      .from('watches')
      .select()
      .eq('id', purchase.watchId)
      .single()
      .throwOnError();
    expect(Date.parse(expiresAt)).toBe(Date.parse(data.expires_at));
  }
  expect((await sendUntilDecided(purchase)).text).toBe(reply.text);
}

const reconcileAt = (now: number) =>
  reconcilePayments({ db: world.db, chain: world.providers, now: () => now });
const advanceAfter = (ms: number) => {
  const now = sellers.now() + ms;
  return advanceWatches({ db: world.db, now: () => now });
};

/** Compares the books, and returns the numbers of transfers and of watches that are not active. */
async function readBooks(): Promise<{ transfers: number; pending: number }> {
  const [rows, transfers] = [await readRows(world.db), await world.listTransfersTo(PAY_TO)];
  expectBalanced(
    rows,
    transfers.map(({ transaction }) => transaction),
  );
  await expectWithoutSecrets(rows, secrets, cipher);
  expect(transfers.every(({ amount }) => amount === PRICE)).toBe(true);
  return {
    transfers: transfers.length,
    pending: rows.watches.filter(({ status }) => status === 'pending').length,
  };
}

/** Prepares a creation and a renewal of each given watch. */
const preparePairs = async (watchIds: readonly string[]): Promise<readonly Purchase[]> => {
  const pairs: Purchase[] = [];
  for (const id of watchIds) pairs.push(await prepareCreation(), await prepareRenewal(id));
  return pairs;
};

it.each([
  { point: 'before the purchase is stored', pending: 0 },
  { point: 'before the result is stored', pending: 1 },
] as const)(
  'a process that ends $point: another one repeats the work, and an abandoned purchase leaves nothing',
  async ({ point, pending }) => {
    const { transfers } = await readBooks();
    const purchases = await preparePairs(renewed.slice(0, 2));
    await stopAt(point, purchases);
    expect(await readBooks()).toEqual({ transfers, pending: 2 * pending });
    for (const purchase of purchases.slice(0, 2)) await expectSold(purchase);
    expect(await readBooks()).toEqual({ transfers: transfers + 2, pending });

    expect(await reconcileAt(sellers.now() + RECONCILE_MS)).toMatchObject({
      settled: 0,
      failed: 0,
      disputed: 0,
      open: 0,
    });
    expect(await advanceAfter(120 * MINUTE_MS)).toMatchObject({ deleted: 0 });
    // Retention deletes the unfinished payments. After that, no request can finish the purchases.
    await prunePayments(world.db, { now: sellers.now() + 8 * DAY_MS, limit: 1_000 });
    expect(await advanceAfter(120 * MINUTE_MS)).toMatchObject({ deleted: pending });
    expect(await readBooks()).toEqual({ transfers: transfers + 2, pending: 0 });
  },
);

it.each([
  { point: 'after the settlement', recorded: 0 },
  { point: 'after the settlement is recorded', recorded: 4 },
] as const)(
  'a process that ends $point: a repeated request or the reconciliation completes each purchase once',
  async ({ point, recorded }) => {
    const { transfers } = await readBooks();
    const purchases = await preparePairs(renewed.slice(0, 2));
    await stopAt(point, purchases);
    expect(await world.listTransfersTo(PAY_TO)).toHaveLength(transfers + 4);
    const stored = await Promise.all(purchases.map(findStored));
    expect(stored.filter(({ applied_at: appliedAt }) => appliedAt !== null)).toHaveLength(recorded);
    expect(await advanceAfter(120 * MINUTE_MS)).toMatchObject({ deleted: 0 });
    for (const purchase of purchases.slice(0, 2)) await expectSold(purchase);

    const settled = (4 - recorded) / 2;
    expect(await reconcileAt(sellers.now() + RECONCILE_MS)).toMatchObject({
      settled,
      failed: 0,
      disputed: 0,
      open: 0,
    });
    expect(await readBooks()).toEqual({ transfers: transfers + 4, pending: 0 });
    // The buyers of the other purchases send them later, and get what they paid for.
    for (const purchase of purchases.slice(2)) await expectSold(purchase);
    expect(await readBooks()).toEqual({ transfers: transfers + 4, pending: 0 });
  },
);

// This test is the last one, because it advances the time of the chain.
it('a process that ends before the settlement: only a purchase that is sent again is settled', async () => {
  const { transfers } = await readBooks();
  const purchases = await preparePairs(renewed);
  await stopAt('before the settlement', purchases);
  expect(await readBooks()).toEqual({ transfers, pending: 3 });
  for (const purchase of purchases.slice(0, 2)) await expectSold(purchase);
  expect(await readBooks()).toEqual({ transfers: transfers + 2, pending: 2 });
  expect(await advanceAfter(120 * MINUTE_MS)).toMatchObject({ deleted: 0 });

  for (const purchase of purchases.slice(2, 4)) {
    await world.cancelAuthorization(purchase.payer, purchase.nonce);
    expect(await sendUntilDecided(purchase)).toMatchObject({ status: 402, body: { notCharged: true } });
  }
  // The watch of a refused payment is kept until the reconciliation has found no transfer.
  expect(await advanceAfter(60 * MINUTE_MS)).toMatchObject({ deleted: 0 });
  expect(await readBooks()).toEqual({ transfers: transfers + 2, pending: 2 });

  expect(await reconcileAt(sellers.now() + RECONCILE_MS)).toMatchObject({ settled: 0, failed: 0, open: 2 });
  world.advanceTime(3_600);
  expect(await reconcileAt(sellers.now() + 60 * MINUTE_MS)).toMatchObject({
    settled: 0,
    failed: 2,
    disputed: 0,
    open: 0,
  });
  expect(await advanceAfter(55 * MINUTE_MS)).toMatchObject({ deleted: 0 });
  expect(await advanceAfter(60 * MINUTE_MS)).toMatchObject({ deleted: 2 });
  expect(await readBooks()).toEqual({ transfers: transfers + 2, pending: 0 });
});
