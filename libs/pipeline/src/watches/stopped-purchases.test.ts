import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@touchstone/common';
import { watchCreatedSchema, watchRenewedSchema } from '@touchstone/contract';
import { reconcilePayments } from '@touchstone/payment';
import { encodePayment, readChallengeHeader, sign, type PaymentWorld } from '@touchstone/payment/testing';
import { createCipher } from '@touchstone/watch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { openWatchSellers, PAY_TO, type SaleRequest } from '../testing/watch-sellers.ts';
import { BASE_URL, createWatchKey } from '../testing/watch-world.ts';
import { advanceWatches } from './advance-watches.ts';
import { cancelWatch } from './edit-watch.ts';
import { readWatch } from './read-watch.ts';

// A watch and a renewal are bought from simulated processes that end at a known point of both purchases.

const ENDPOINT = 'https://api.example.com/weather';
const DELIVERY = {
  webhook_url: 'https://one.example.net/a',
  slack_url: 'https://hooks.slack.com/services/a',
};
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;
/** Time after which the reconciliation takes over open payments: two minutes after the end of their lease. */
const RECONCILE_MS = 130_000;
let sellers: Awaited<ReturnType<typeof openWatchSellers>>;
let world: PaymentWorld;
let payer: Awaited<ReturnType<PaymentWorld['createWallet']>>;
/** Id of the watch that is renewed. */
let renewed: string;

beforeAll(async () => {
  sellers = await openWatchSellers(createCipher([createWatchKey()]));
  ({ world } = sellers);
  await storeProbedEndpoint(world.db, sellers.now(), { resource: ENDPOINT });
  payer = await world.createWallet(5_000_000n);
  renewed = await expectSold(await prepare(null));
});
afterAll(() => sellers.close());

/** Signs the payment for a watch, or for the renewal of a watch. */
async function prepare(
  watchId: string | null,
  settings: object = { delivery: DELIVERY },
): Promise<SaleRequest> {
  const request = { watchId, body: watchId === null ? { endpoint: ENDPOINT, ...settings } : null };
  const payload = await sign(payer, readChallengeHeader(await sellers.call(request)));
  return { ...request, payment: encodePayment(payload) };
}
const preparePair = async () => [await prepare(null), await prepare(renewed)];

async function sendUntilDecided(request: SaleRequest): Promise<string> {
  for (;;) {
    const response = await sellers.call(request);
    const text = await response.text();
    if (response.status === 200) return text;
    expect([response.status, text]).toEqual([409, expect.stringContaining('payment-in-progress')]);
    await sleep(100);
  }
}

const readEnd = async (id: string): Promise<number> => {
  const { data } = await world.db.from('watches').select().eq('id', id).single().throwOnError();
  return Date.parse(data.expires_at);
};

/**
 * Repeats a purchase request until the response is 200, and checks the response: a new watch has a secret that opens
 * the active watch, and a renewal has the new end of the watch. The same request sent again gets the same response.
 * Returns the id of the watch.
 */
async function expectSold(request: SaleRequest): Promise<string> {
  const text = await sendUntilDecided(request);
  expect(await sendUntilDecided(request)).toBe(text);
  if (request.watchId !== null) {
    const { expires_at: end } = watchRenewedSchema.parse(JSON.parse(text));
    expect(await readEnd(request.watchId)).toBe(Date.parse(end));
    return request.watchId;
  }
  const { watch_id: id, secret } = watchCreatedSchema.parse(JSON.parse(text));
  expect(await readWatch({ db: world.db, baseUrl: BASE_URL }, { id, secret })).toMatchObject({
    body: { status: 'active', delivery: { webhooks: [{}], chats: [{}] } },
  });
  return id;
}

const reconcileAt = (now: number) =>
  reconcilePayments({ db: world.db, chain: world.providers, now: () => now });

/** Compares the database with the chain: each transfer is one settled payment and one applied purchase. */
async function readBooks() {
  const [payments, purchases, watches, transfers] = await Promise.all([
    world.db.from('payments').select().eq('state', 'settled').throwOnError(),
    world.db.from('watch_purchases').select().not('applied_at', 'is', null).throwOnError(),
    world.db.from('watches').select().throwOnError(),
    world.listTransfersTo(PAY_TO),
  ]);
  const toSorted = (texts: readonly (string | null)[]) => texts.toSorted();
  expect(toSorted(payments.data.map(({ transaction }) => transaction))).toEqual(
    toSorted(transfers.map(({ transaction }) => transaction)),
  );
  expect(toSorted(purchases.data.map(({ nonce }) => nonce))).toEqual(
    toSorted(payments.data.map(({ nonce }) => nonce)),
  );
  const count = (status: string) => watches.data.filter((watch) => watch.status === status).length;
  return { transfers: transfers.length, active: count('active'), pending: count('pending') };
}

it.each([
  'before the purchase is stored',
  'before the result is stored',
  'before the settlement',
  'after the settlement',
  'after the settlement is recorded',
] as const)('a process that ends %s: another one completes both purchases, each once', async (point) => {
  const { transfers, active } = await readBooks();
  const end = await readEnd(renewed);
  const pair = await preparePair();
  await sellers.stopAt(point, pair);
  for (const request of pair) await expectSold(request);
  expect(await readBooks()).toEqual({ transfers: transfers + 2, active: active + 1, pending: 0 });
  expect(await readEnd(renewed)).toBe(end + MONTH_MS);
});

describe('a renewal whose watch is cancelled', () => {
  const NOT_RENEWABLE = { status: 409, body: { code: 'watch-not-renewable', notCharged: true } };
  const CANCELLED = { status: 200, body: { status: 'cancelled' } };

  /** Buys a watch. Returns the payment of its renewal, and functions that cancel and read the watch. */
  const prepareCancellation = async () => {
    const created = watchCreatedSchema.parse(JSON.parse(await sendUntilDecided(await prepare(null, {}))));
    const credentials = { id: created.watch_id, secret: created.secret };
    const context = { db: world.db, baseUrl: BASE_URL, now: sellers.now };
    return {
      request: await prepare(created.watch_id),
      end: created.expires_at,
      cancel: () => cancelWatch(context, credentials),
      read: () => readWatch(context, credentials),
    };
  };
  const readJson = async (response: Response) => ({ status: response.status, body: await response.json() });

  it.each([
    ['before the purchase is stored', NOT_RENEWABLE],
    ['before the result is stored', NOT_RENEWABLE],
    ['before the settlement', CANCELLED],
    ['after the settlement', CANCELLED],
  ] as const)('%s', async (point, expected) => {
    const { request, end, cancel, read } = await prepareCancellation();
    const { transfers } = await readBooks();
    const response = await readJson(await sellers.callWith(point, cancel, request));
    expect(response).toMatchObject(expected);
    // The request is sent again to another process.
    expect(await readJson(await sellers.call(request))).toMatchObject(response);
    expect(await read()).toMatchObject({ body: { status: 'cancelled', expires_at: end } });
    expect((await readBooks()).transfers - transfers).toBe(expected === CANCELLED ? 1 : 0);
  });
});

it('a renewal whose process ended before the settlement is not charged after the cancellation of its watch', async () => {
  const created = watchCreatedSchema.parse(JSON.parse(await sendUntilDecided(await prepare(null, {}))));
  const request = await prepare(created.watch_id);
  await sellers.stopAt('before the settlement', [request]);
  const credentials = { id: created.watch_id, secret: created.secret };
  await cancelWatch({ db: world.db, baseUrl: BASE_URL, now: sellers.now }, credentials);
  const { transfers } = await readBooks();
  const ended = { lease_until: new Date(0).toISOString() };
  await world.db.from('payments').update(ended).eq('state', 'settling').throwOnError();
  const response = await sellers.call(request);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toMatch(/notCharged|nothing was charged/i);
  expect((await readBooks()).transfers).toBe(transfers);
  await world.db.from('payments').delete().eq('state', 'settling').throwOnError();
});

it('completes purchases by reconciliation after their settlement', async () => {
  const { transfers, active } = await readBooks();
  const pair = await preparePair();
  await sellers.stopAt('after the settlement', pair);
  expect(await reconcileAt(sellers.now() + RECONCILE_MS)).toMatchObject({ settled: 2, failed: 0, open: 0 });
  expect(await readBooks()).toEqual({ transfers: transfers + 2, active: active + 1, pending: 0 });
  for (const request of pair) await expectSold(request);
  expect((await readBooks()).transfers).toBe(transfers + 2);
});

// This test must be last, because it advances the time of the chain.
it('leaves nothing of purchases that ended before their settlement', async () => {
  const books = await readBooks();
  const end = await readEnd(renewed);
  await sellers.stopAt('before the settlement', await preparePair());
  const advanceAfter = (minutes: number) =>
    advanceWatches({ db: world.db, now: () => sellers.now() + minutes * MINUTE_MS });
  expect(await advanceAfter(120)).toMatchObject({ deleted: 0 });
  expect(await reconcileAt(sellers.now() + RECONCILE_MS)).toMatchObject({ settled: 0, failed: 0, open: 2 });
  world.advanceTime(3_600);
  // Leases are compared with the clock of the database, which tests cannot set.
  const ended = { lease_until: new Date().toISOString() };
  await world.db.from('payments').update(ended).in('state', ['working', 'settling']).throwOnError();
  expect(await reconcileAt(sellers.now() + 60 * MINUTE_MS)).toMatchObject({ settled: 0, failed: 2, open: 0 });
  expect(await advanceAfter(55)).toMatchObject({ deleted: 0 });
  expect(await advanceAfter(120)).toMatchObject({ deleted: 1 });
  expect(await readBooks()).toEqual(books);
  expect(await readEnd(renewed)).toBe(end);
});
