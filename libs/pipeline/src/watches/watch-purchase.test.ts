import { createSeller, createFacilitator } from '@touchstone/payment';
import {
  createPayment,
  openPaymentWorld,
  openProxy,
  post,
  type PaymentWorld,
} from '@touchstone/payment/testing';
import { watchCreatedSchema, watchRenewedSchema, type WatchCreated } from '@touchstone/contract';
import { createCipher } from '@touchstone/watch';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toSecrets } from '../testing/purchase-books.ts';
import { startReceivers, type Receivers } from '../testing/receivers.ts';
import { serveWatches } from '../testing/serve-watches.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { BASE_URL, createWatchKey } from '../testing/watch-world.ts';
import { cancelWatch } from './cancel-watch.ts';
import { editWatch } from './edit-watch.ts';
import { readWatch, readWatchEvents } from './read-watch.ts';
import type { WatchContext } from './watch-context.ts';

// Watches are bought from a real seller, with a real facilitator and a real chain.

const ENDPOINT = 'https://api.example.com/weather';
const HOOK_TOKEN = 'abcdefabcdef';
const HOOK = `https://one.example.net/hook?token=${HOOK_TOKEN}`;
const PAY_TO = `0x${'5'.repeat(40)}` as const;
const MONTH_MS = 30 * 86_400_000;
let world: PaymentWorld;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let receivers: Receivers;
let context: WatchContext;
let service: Awaited<ReturnType<typeof serveWatches>>;
let payer: Awaited<ReturnType<PaymentWorld['createWallet']>>;

beforeAll(async () => {
  [world, receivers] = await Promise.all([openPaymentWorld(), startReceivers()]);
  proxy = await openProxy(world.facilitatorUrl);
  const cipher = createCipher([createWatchKey()]);
  context = { db: world.db, cipher, send: receivers.send, baseUrl: BASE_URL, now: Date.now };
  const seller = createSeller({
    db: world.db,
    facilitator: createFacilitator({ url: proxy.url }),
    network: world.network,
    payTo: PAY_TO,
    baseUrl: BASE_URL,
    now: Date.now,
    chain: world.providers,
  });
  service = await serveWatches(seller, context);
  await storeProbedEndpoint(world.db, Date.now(), { resource: ENDPOINT });
  payer = await world.createWallet(10_000_000n);
});
afterEach(() => {
  proxy.setFault(null);
  receivers.handlers.clear();
});
afterAll(async () => {
  await Promise.all([service.close(), proxy.close(), receivers.close()]);
  await world.close();
});

const countTransfers = async () => (await world.listTransfersTo(PAY_TO)).length;
const countWatches = async () => (await world.db.from('watches').select('id')).data?.length ?? 0;
const toCredentials = ({ watch_id: id, secret }: WatchCreated) => ({ id, secret });

async function buyWatch(body: object = { endpoint: ENDPOINT }): Promise<WatchCreated> {
  const { payment } = await createPayment(payer, service.createUrl, body);
  const reply = await post(service.createUrl, body, { payment });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return watchCreatedSchema.parse(reply.body);
}

async function buyRenewal(id: string) {
  const url = service.toRenewUrl(id);
  const { payment } = await createPayment(payer, url, '');
  return post(url, '', { payment });
}

describe('a bought watch', () => {
  it('is active after the settlement, and its secret can be requested again with the same payment', async () => {
    const body = { endpoint: ENDPOINT, delivery: { webhook_url: HOOK } };
    const { payment } = await createPayment(payer, service.createUrl, body);
    const reply = await post(service.createUrl, body, { payment });
    expect(reply.status).toBe(200);
    const created = watchCreatedSchema.parse(reply.body);
    expect(await readWatchEvents(context, toCredentials(created))).toMatchObject({
      body: { status: 'active', events: [], watch_events: [{ type: 'created' }] },
    });
    const repeated = await post(service.createUrl, body, { payment });
    expect(repeated.body).toEqual(created);
    expect(receivers.messages).toHaveLength(1);
    const { data } = await world.db.from('payments').select('result').eq('resource', ENDPOINT);
    expect(data).toHaveLength(1);
    const stored = JSON.stringify(data);
    for (const text of [...toSecrets(created), created.watch_id, HOOK_TOKEN])
      expect(stored).not.toContain(text);
  });

  it('is edited, renewed with the same secret, and cancelled', async () => {
    const created = await buyWatch();
    const credentials = toCredentials(created);
    const edit = { events: ['delisting' as const] };
    expect(await editWatch(context, { ...credentials, edit })).toMatchObject({
      body: { events: ['delisting'] },
    });
    const renewed = watchRenewedSchema.parse((await buyRenewal(created.watch_id)).body);
    const expiresAt = new Date(Date.parse(created.expires_at) + MONTH_MS).toISOString();
    expect(renewed).toMatchObject({ status: 'active', expires_at: expiresAt, endpoint: ENDPOINT });
    expect(JSON.stringify(renewed)).not.toContain('wsk_');
    expect(await readWatch(context, credentials)).toMatchObject({ body: { expires_at: expiresAt } });
    expect(await cancelWatch(context, credentials)).toMatchObject({ body: { status: 'cancelled' } });
    expect(await readWatchEvents(context, credentials)).toMatchObject({
      body: { watch_events: ['created', 'edited', 'renewed', 'cancelled'].map((type) => ({ type })) },
    });
  });

  it('is active with the first secret after an interrupted settlement', async () => {
    const before = await countWatches();
    const body = { endpoint: ENDPOINT, liveness_sensitivity_n: 7 };
    const { payment } = await createPayment(payer, service.createUrl, body);
    proxy.setFault(({ path, response }) => {
      if (path === '/settle') response.destroy();
      return path === '/settle';
    });
    const interrupted = await post(service.createUrl, body, { payment });
    expect(interrupted.status).toBe(503);
    expect(interrupted.text).not.toContain('wsk_');
    proxy.setFault(null);
    const created = await retryUntilSold(() => post(service.createUrl, body, { payment }));
    expect(await readWatch(context, toCredentials(created))).toMatchObject({ body: { status: 'active' } });
    expect(await countWatches()).toBe(before + 1);
  });
});

async function retryUntilSold(send: () => ReturnType<typeof post>): Promise<WatchCreated> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const reply = await send();
    if (reply.status === 200) return watchCreatedSchema.parse(reply.body);
    await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Error('the payment was not settled within a minute');
}

describe('nothing is charged', () => {
  /** Sends a request, and checks that the problem is not charged and that no watch is stored. */
  async function expectNotCharged(send: () => ReturnType<typeof post>, problem: object): Promise<void> {
    const before = [await countTransfers(), await countWatches()];
    const reply = await send();
    expect(reply.body).toMatchObject({ notCharged: true, ...problem });
    expect([await countTransfers(), await countWatches()]).toEqual(before);
  }

  const create = async (body: object) => {
    const { payment } = await createPayment(payer, service.createUrl, body);
    return post(service.createUrl, body, { payment });
  };

  it('if the endpoint is unknown', async () => {
    const body = { endpoint: 'https://unknown.example.com/' };
    await expectNotCharged(() => create(body), { status: 404, code: 'unknown-resource' });
  });

  it('if a delivery URL is unreachable', async () => {
    receivers.handlers.set('one.example.net', (response) => response.writeHead(500).end());
    const body = { endpoint: ENDPOINT, delivery: { webhook_urls: [HOOK] } };
    await expectNotCharged(() => create(body), {
      status: 422,
      code: 'delivery-unreachable',
      errors: [{ path: 'delivery.webhook_urls.0' }],
    });
  });

  it('if the watch to renew is unknown or cancelled', async () => {
    await expectNotCharged(() => buyRenewal(`w_${'a'.repeat(26)}`), { status: 404, code: 'watch-not-found' });
    const created = await buyWatch();
    await cancelWatch(context, toCredentials(created));
    await expectNotCharged(() => buyRenewal(created.watch_id), { status: 409, code: 'watch-not-renewable' });
  });
});
