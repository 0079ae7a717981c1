import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { watchCreatedSchema, watchRenewedSchema } from '@touchstone/contract';
import { reconcilePayments } from '@touchstone/payment';
import {
  createPayment,
  openPaymentWorld,
  openProxy,
  post,
  type PaymentWorld,
  type Reply,
} from '@touchstone/payment/testing';
import { prunePayments } from '@touchstone/store';
import { createCipher } from '@touchstone/watch';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectBalanced, expectWithoutSecrets, readRows, toSecrets } from '../testing/purchase-books.ts';
import { startReceivers, type Receivers } from '../testing/receivers.ts';
import { storeEndpoint } from '../testing/store-endpoint.ts';
import type { HeldCall, WatchSellerMessage, WatchSellerSettings } from '../testing/watch-seller-process.ts';
import { BASE_URL, createWatchKey } from '../testing/watch-world.ts';
import { advanceWatches } from './advance-watches.ts';
import { readWatch } from './read-watch.ts';

// Watches and renewals are bought from processes that are killed at a known point of the purchase. Each process has
// several purchases under way when it is killed.

const PROGRAM = fileURLToPath(new URL('../testing/watch-seller-process.ts', import.meta.url));
const ENDPOINT = 'https://api.example.com/weather';
const HOST = 'one.example.net';
const PAY_TO = `0x${'5'.repeat(40)}` as const;
const PRICE = 200_000n;
const LEASE_SECONDS = 1;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTH_MS = 30 * DAY_MS;
const watchKey = createWatchKey();
const cipher = createCipher([watchKey]);
const children = new Set<ChildProcess>();
/** Texts that only buyers know: parts of delivery URLs, and the secrets of watches. */
const secrets = new Set<string>();
let world: PaymentWorld;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let receivers: Receivers;
let payer: Awaited<ReturnType<PaymentWorld['createWallet']>>;
/** URL of a process that is not killed. */
let survivor: string;
/** Ids of three watches that are renewed. A watch has at most one renewal under way. */
let renewed: readonly string[];

beforeAll(async () => {
  [world, receivers] = await Promise.all([openPaymentWorld(), startReceivers()]);
  proxy = await openProxy(world.facilitatorUrl);
  await storeEndpoint(world.db, Date.now(), { resource: ENDPOINT });
  payer = await world.createWallet(20_000_000n);
  survivor = (await openProcess(null)).createUrl;
  renewed = [await buyWatch(), await buyWatch(), await buyWatch()];
});
afterEach(release);
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
  await Promise.all([proxy.close(), receivers.close()]);
  await world.close();
});

/** Starts a process that sells watches. `onHeld` is called for each request that reaches the held call. */
async function openProcess(heldCall: HeldCall | null, onHeld?: () => void) {
  const settings: WatchSellerSettings = {
    databaseUrl: world.database.url,
    databaseKey: world.database.key,
    facilitatorUrl: proxy.url,
    chainUrl: world.chainUrl,
    network: world.network,
    payTo: PAY_TO,
    baseUrl: BASE_URL,
    watchKey,
    receivers: { port: receivers.port, ca: receivers.ca },
    leaseSeconds: LEASE_SECONDS,
    heldCall,
  };
  const env = { ...process.env, WATCH_SELLER: JSON.stringify(settings) };
  const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  const opened = Promise.withResolvers<string>();
  child.on('message', (message: WatchSellerMessage) => {
    if (message.type === 'open') opened.resolve(message.createUrl);
    else onHeld?.();
  });
  return { child, createUrl: await opened.promise };
}

/** Request for a watch or a renewal, with its signed payment. `watchId` is null for a creation. */
interface Purchase {
  readonly path: string;
  readonly body: object | '';
  readonly watchId: string | null;
  readonly payment: string;
  readonly nonce: `0x${string}`;
}

async function preparePurchase(request: Pick<Purchase, 'path' | 'body' | 'watchId'>): Promise<Purchase> {
  const url = new URL(request.path, survivor).href;
  const { payment, nonce } = await createPayment(payer, url, request.body);
  return { ...request, payment, nonce };
}

function prepareCreation(): Promise<Purchase> {
  const token = randomBytes(16).toString('hex');
  secrets.add(token);
  const delivery = {
    webhook_url: `https://${HOST}/${token}`,
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

/** Point of a purchase at which a process is killed. */
type KillPoint =
  | 'before the purchase is stored'
  | 'before the result is stored'
  | 'before the settlement'
  | 'after the settlement'
  | 'after the settlement is recorded';

const HELD_CALLS: Readonly<Record<KillPoint, HeldCall | null>> = {
  // Creations are held in the connection test, and renewals at their only call of the database.
  'before the purchase is stored': { name: 'create_renewal', when: 'before' },
  'before the result is stored': { name: 'store_payment_result', when: 'before' },
  'before the settlement': null,
  'after the settlement': null,
  'after the settlement is recorded': { name: 'settle_payment', when: 'after' },
};

function holdConnectionTests(onHeld: () => void): void {
  receivers.handlers.set(HOST, onHeld);
}

function holdSettlements(onHeld: () => void, isForwarded: boolean): void {
  proxy.setFault(async ({ path, forward }) => {
    if (path !== '/settle') return false;
    if (isForwarded) await forward();
    onHeld();
    return true;
  });
}

function release(): void {
  receivers.handlers.clear();
  proxy.setFault(null);
}

/** Sends purchases to a new process, and kills it when all of them have reached the point. */
async function killAt(point: KillPoint, purchases: readonly Purchase[]): Promise<void> {
  const reached = Promise.withResolvers<undefined>();
  let held = 0;
  const onHeld = () => {
    held += 1;
    if (held === purchases.length) reached.resolve(undefined);
  };
  const { child, createUrl } = await openProcess(HELD_CALLS[point], onHeld);
  if (point === 'before the purchase is stored') holdConnectionTests(onHeld);
  if (point === 'before the settlement') holdSettlements(onHeld, false);
  if (point === 'after the settlement') holdSettlements(onHeld, true);
  const sent = purchases.map(async (purchase) => {
    const { status, text } = await send(purchase, createUrl);
    throw new Error(`the process responded before it was killed: ${status} ${text}`);
  });
  await Promise.race([reached.promise, ...sent]);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  for (const lost of sent) await expect(lost).rejects.toThrow('fetch failed');
  release();
}

/** Buys a watch from the process that is not killed. Returns its id. */
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
    for (const text of toSecrets(created)) secrets.add(text);
  } else {
    const { watches } = await readRows(world.db);
    const watch = watches.find(({ id }) => id === purchase.watchId);
    const { expires_at: expiresAt } = watchRenewedSchema.parse(reply.body);
    expect(Date.parse(expiresAt)).toBe(Date.parse(watch?.expires_at ?? ''));
  }
  expect((await sendUntilDecided(purchase)).text).toBe(reply.text);
}

const listTransfers = () => world.listTransfersTo(PAY_TO);
const reconcileAt = (now: number) =>
  reconcilePayments({ db: world.db, chain: world.providers, now: () => now });
const advanceAfter = (ms: number) => {
  const now = Date.now() + ms;
  return advanceWatches({ db: world.db, now: () => now });
};

/** Compares the books, and returns the numbers of transfers and of watches that are not active. */
async function readBooks(): Promise<{ transfers: number; pending: number }> {
  const [rows, transfers] = [await readRows(world.db), await listTransfers()];
  expectBalanced(
    rows,
    transfers.map(({ transaction }) => transaction),
  );
  expectWithoutSecrets(rows, secrets);
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
