import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createPayment, post, readReceiptHeader, type Reply } from '../testing/buyer.ts';
import { openProxy, type Proxy } from '../testing/facilitator-proxy.ts';
import { openPaymentWorld, type PaymentWorld } from '../testing/payment-world.ts';

const PROGRAM = fileURLToPath(new URL('../testing/seller-process.ts', import.meta.url));
const BODY = { resource: 'https://api.example.com/v1/weather' };
const LEASE_SECONDS = 1;
const messageSchema = z.object({ type: z.enum(['open', 'working']), url: z.string().optional() });

let world: PaymentWorld;
let proxy: Proxy;
let payer: PrivateKeyAccount;
beforeAll(async () => {
  world = await openPaymentWorld();
  proxy = await openProxy(world.facilitatorUrl);
  payer = await world.createWallet();
});
afterAll(async () => {
  await proxy.close();
  await world.close();
});

const children = new Set<ChildProcess>();
afterEach(async () => {
  proxy.setFault(null);
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
  children.clear();
});

/** Starts a seller in its own process and counts how often its work starts. The work takes `workMs` milliseconds. */
const openProcess = async (payTo: Hex, workMs = 0) => {
  const settings = {
    databaseUrl: world.database.url,
    databaseKey: world.database.key,
    facilitatorUrl: proxy.url,
    chainUrl: world.chainUrl,
    network: world.network,
    payTo,
    workMs,
    leaseSeconds: LEASE_SECONDS,
  };
  const env = { ...process.env, SELLER: JSON.stringify(settings) };
  const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  const opened = { url: '', worked: 0 };
  const working: (() => void)[] = [];
  child.on('message', (message) => {
    const { type, url = '' } = messageSchema.parse(message);
    if (type === 'open') opened.url = url;
    else opened.worked += 1;
    if (type === 'working') for (const notify of working) notify();
  });
  await once(child, 'message');
  return {
    trust: `${opened.url}/v1/x402-trust`,
    worked: () => opened.worked,
    whenWorking: new Promise<void>((notify) => working.push(notify)),
    kill: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const findPaymentRow = async (nonce: Hex) =>
  (await world.db.from('payments').select()).data?.find((row) => row.nonce === nonce);
const createAddress = (): Hex => privateKeyToAddress(generatePrivateKey());
const postUntilServed = async (url: string, payment: string): Promise<Reply> => {
  for (;;) {
    const reply = await post(url, BODY, { payment });
    if (reply.status !== 409) return reply;
    expect(reply.body['code']).toBe('payment-in-progress');
    await new Promise((done) => setTimeout(done, 100));
  }
};

test.each([
  ['after the settlement and before the response', 'after'],
  ['before the settlement', 'before'],
] as const)(
  'a process killed %s: another one delivers the result, with one charge and one run of the work',
  async (_, when) => {
    const payTo = createAddress();
    const [first, second] = await Promise.all([openProcess(payTo), openProcess(payTo)]);
    const { payment } = await createPayment(payer, first.trust, BODY);
    proxy.setFault(async ({ path, forward, response }) => {
      if (path !== '/settle') return false;
      if (when === 'after') await forward();
      await first.kill();
      response.destroy();
      proxy.setFault(null);
      return true;
    });
    await expect(post(first.trust, BODY, { payment })).rejects.toThrow('fetch failed');
    expect((await world.listTransfersTo(payTo)).length).toBe(when === 'after' ? 1 : 0);

    const reply = await postUntilServed(second.trust, payment);
    const transfers = await world.listTransfersTo(payTo);
    expect(transfers).toMatchObject([{ amount: 5_000n, payer: payer.address.toLowerCase() }]);
    expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource } });
    expect(readReceiptHeader(reply)).toMatchObject({ success: true, transaction: transfers[0]?.transaction });
    expect([first.worked(), second.worked()]).toEqual([1, 0]);
    expect((await postUntilServed(second.trust, payment)).text).toBe(reply.text);
  },
);

test('a process killed between claim and verification: another one verifies and sells, with one charge', async () => {
  const payTo = createAddress();
  const [first, second] = await Promise.all([openProcess(payTo), openProcess(payTo)]);
  const { payment, nonce } = await createPayment(payer, first.trust, BODY);
  proxy.setFault(async ({ path, response }) => {
    if (path !== '/verify') return false;
    await vi.waitUntil(async () => (await findPaymentRow(nonce)) !== undefined, { timeout: 10_000 });
    await first.kill();
    response.destroy();
    proxy.setFault(null);
    return true;
  });
  await expect(post(first.trust, BODY, { payment })).rejects.toThrow('fetch failed');
  expect(await postUntilServed(second.trust, payment)).toMatchObject({ status: 200 });
  expect([first.worked(), second.worked()]).toEqual([0, 1]);
  expect(await world.listTransfersTo(payTo)).toHaveLength(1);
});

test('a process killed during the work: another one repeats the work, with one charge', async () => {
  const payTo = createAddress();
  const [first, second] = await Promise.all([openProcess(payTo, 60_000), openProcess(payTo)]);
  const { payment } = await createPayment(payer, first.trust, BODY);
  const lost = expect(post(first.trust, BODY, { payment })).rejects.toThrow('fetch failed');
  await first.whenWorking;
  await first.kill();
  await lost;
  expect(await postUntilServed(second.trust, payment)).toMatchObject({
    status: 200,
    body: { about: BODY.resource },
  });
  expect(second.worked()).toBe(1);
  expect(await world.listTransfersTo(payTo)).toHaveLength(1);
});

test('work that exceeds its lease is delivered once, by the process that claimed the payment', async () => {
  const payTo = createAddress();
  const [slow, quick] = await Promise.all([openProcess(payTo, 2_500), openProcess(payTo)]);
  const { payment } = await createPayment(payer, slow.trust, BODY);
  const late = post(slow.trust, BODY, { payment });
  await slow.whenWorking;
  const reply = await postUntilServed(quick.trust, payment);
  expect(reply.status).toBe(200);
  expect(await late).toMatchObject({ status: 409, body: { code: 'payment-in-progress' } });
  expect((await postUntilServed(slow.trust, payment)).text).toBe(reply.text);
  expect(await world.listTransfersTo(payTo)).toHaveLength(1);
});
