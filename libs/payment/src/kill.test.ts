import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { reconcilePayments } from './index.ts';
import { paymentFor, post, receiptIn, type Reply } from './testing/buyer.ts';
import { openProxy, type Proxy } from './testing/facilitator-proxy.ts';
import { openMarket, type Market } from './testing/market.ts';

const PROGRAM = fileURLToPath(new URL('testing/shop-process.ts', import.meta.url));
const BODY = { resource: 'https://api.example.com/v1/weather' };
const LEASE_SECONDS = 1;
const messageSchema = z.object({ type: z.enum(['open', 'working']), url: z.string().optional() });

let market: Market;
let proxy: Proxy;
let payer: PrivateKeyAccount;
beforeAll(async () => {
  market = await openMarket();
  proxy = await openProxy(market.facilitatorUrl);
  payer = await market.wallet();
});
afterAll(async () => {
  await proxy.close();
  await market.close();
});

const children = new Set<ChildProcess>();
afterEach(async () => {
  proxy.be(null);
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }
  children.clear();
});

/** A process that sells, which works for a while and counts how often. */
const openProcess = async (payTo: Hex, workMs = 0) => {
  const settings = {
    databaseUrl: market.database.url,
    databaseKey: market.database.key,
    facilitatorUrl: proxy.url,
    chainUrl: market.chainUrl,
    network: market.network,
    payTo,
    workMs,
    leaseSeconds: LEASE_SECONDS,
  };
  const env = { ...process.env, SHOP: JSON.stringify(settings) };
  const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  const opened = { url: '', worked: 0 };
  const working: (() => void)[] = [];
  child.on('message', (message) => {
    const { type, url = '' } = messageSchema.parse(message);
    if (type === 'open') opened.url = url;
    else opened.worked += 1;
    if (type === 'working') for (const hear of working) hear();
  });
  await once(child, 'message');
  return {
    trust: `${opened.url}/v1/x402-trust`,
    worked: () => opened.worked,
    whenWorking: new Promise<void>((hear) => working.push(hear)),
    die: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
};

const newWallet = (): Hex => privateKeyToAddress(generatePrivateKey());
const served = async (url: string, payment: string): Promise<Reply> => {
  for (;;) {
    const reply = await post(url, BODY, { payment });
    if (reply.status !== 409) return reply;
    expect(reply.body['code']).toBe('payment-in-progress');
    await new Promise((done) => setTimeout(done, 100));
  }
};

test.each([
  ['after it was settled and before the answer', 'after'],
  ['before it was settled', 'before'],
] as const)(
  'a process killed %s: another one delivers the result, charged and worked for once',
  async (_, when) => {
    const payTo = newWallet();
    const [first, second] = await Promise.all([openProcess(payTo), openProcess(payTo)]);
    const { payment } = await paymentFor(payer, first.trust, BODY);
    proxy.be(async ({ path, pass, response }) => {
      if (path !== '/settle') return false;
      if (when === 'after') await pass();
      await first.die();
      response.destroy();
      proxy.be(null);
      return true;
    });
    await expect(post(first.trust, BODY, { payment })).rejects.toThrow('fetch failed');
    expect((await market.transfersTo(payTo)).length).toBe(when === 'after' ? 1 : 0);

    const reply = await served(second.trust, payment);
    const transfers = await market.transfersTo(payTo);
    expect(transfers).toMatchObject([{ amount: 5_000n, payer: payer.address.toLowerCase() }]);
    expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource } });
    expect(receiptIn(reply)).toMatchObject({ success: true, transaction: transfers[0]?.transaction });
    expect([first.worked(), second.worked()]).toEqual([1, 0]);
    expect((await served(second.trust, payment)).text).toBe(reply.text);
  },
);

test('a process killed at work: another one works again, and it is charged once', async () => {
  const payTo = newWallet();
  const [first, second] = await Promise.all([openProcess(payTo, 60_000), openProcess(payTo)]);
  const { payment } = await paymentFor(payer, first.trust, BODY);
  const lost = expect(post(first.trust, BODY, { payment })).rejects.toThrow('fetch failed');
  await first.whenWorking;
  await first.die();
  await lost;
  expect(await served(second.trust, payment)).toMatchObject({ status: 200, body: { about: BODY.resource } });
  expect(second.worked()).toBe(1);
  expect(await market.transfersTo(payTo)).toHaveLength(1);
});

test('work that outlives its lease is delivered once, by whoever took it over', async () => {
  const payTo = newWallet();
  const [slow, quick] = await Promise.all([openProcess(payTo, 2_500), openProcess(payTo)]);
  const { payment } = await paymentFor(payer, slow.trust, BODY);
  const late = post(slow.trust, BODY, { payment });
  await slow.whenWorking;
  const reply = await served(quick.trust, payment);
  expect(reply.status).toBe(200);
  expect(await late).toMatchObject({ status: 409, body: { code: 'payment-in-progress' } });
  expect((await served(slow.trust, payment)).text).toBe(reply.text);
  expect(await market.transfersTo(payTo)).toHaveLength(1);
});

test('what a buyer never comes back for is found on the chain, or given up once it cannot be settled', async () => {
  const payTo = newWallet();
  const shop = await openProcess(payTo);
  const lost: Hex[] = [];
  for (const when of ['after', 'before'] as const) {
    const { payment, nonce } = await paymentFor(payer, shop.trust, BODY);
    proxy.be(async ({ path, pass, response }) => {
      if (path !== '/settle') return false;
      if (when === 'after') await pass();
      response.destroy();
      return true;
    });
    expect((await post(shop.trust, BODY, { payment })).status).toBe(503);
    lost.push(nonce);
  }
  const pass = (now: number) => reconcilePayments({ db: market.db, chain: market.providers, now: () => now });
  const none = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
  expect(await pass(Date.now())).toEqual(none);
  const after = await pass(Date.now() + 130_000);
  expect(after).toMatchObject({ settled: 1, failed: 0, disputed: 0, open: 1 });
  // What the tests before this one sold on the word of the facilitator is on the chain.
  expect(after.audited).toBe(3);
  // Our clock alone does not end the other's time; the chain's must have passed it.
  expect(await pass(Date.now() + 10_000_000)).toEqual({ ...none, open: 1 });
  // A node that is some blocks behind may not have seen the last of them.
  await market.passTime(400);
  expect(await pass(Date.now() + 10_000_000)).toEqual({ ...none, open: 1 });
  await market.passTime(400);
  expect(await pass(Date.now() + 10_000_000)).toEqual({ ...none, failed: 1 });
  expect(await pass(Date.now() + 10_000_000)).toEqual(none);
  const { data } = await market.db.from('payments').select();
  const states = lost.map((nonce) => data?.find((row) => row.nonce === nonce)?.state);
  expect(states).toEqual(['settled', 'failed']);
  const settled = data?.find((row) => row.nonce === lost[0]);
  expect(settled?.transaction).toBe((await market.transfersTo(payTo))[0]?.transaction);
});
