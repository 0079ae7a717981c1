import { createProviders, type Providers } from '@touchstone/chain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reconcilePayments } from './index.ts';
import { nonceOf, paymentFor, post } from './testing/buyer.ts';
import { answering, cutting, type Misbehaviour } from './testing/facilitator-proxy.ts';
import { BODY, openStreet, type Street } from './testing/street.ts';

const NONE = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
const TRANSACTION = `0x${'ab'.repeat(32)}`;

let street: Street;
beforeAll(async () => {
  street = await openStreet();
});
afterEach(async () => {
  await street.tidy();
  await street.market.db.from('payments').delete().neq('payer', '');
});
afterAll(() => street.close());

/** One pass, some minutes later. */
const pass = (minutes: number, { chain = street.market.providers, limit = 100 } = {}) => {
  const troubles: string[] = [];
  const counts = reconcilePayments({
    db: street.market.db,
    chain,
    now: () => Date.now() + minutes * 60_000,
    limit,
    onTrouble: (message) => troubles.push(message),
  });
  return counts.then((done) => ({ ...done, troubles }));
};

/** Buys from a facilitator that misbehaves. */
const buyBadly = async (misbehaviour: Misbehaviour) => {
  const shop = await street.openShop();
  const payer = await street.market.wallet();
  const { payment, payload } = await paymentFor(payer, shop.trust, BODY);
  street.proxy.be(misbehaviour);
  const reply = await post(shop.trust, BODY, { payment });
  street.proxy.be(null);
  return { payer, reply, nonce: nonceOf(payload) };
};

test('one that names another transaction is put right', async () => {
  const { network } = street.market;
  const { nonce } = await buyBadly(async ({ path, pass: settle, response }) => {
    if (path !== '/settle') return false;
    await settle();
    response.end(JSON.stringify({ success: true, transaction: TRANSACTION, network }));
    return true;
  });
  const last = (await street.market.transfersTo(street.shop)).at(-1);
  expect(await pass(2)).toEqual({ ...NONE, audited: 1, troubles: [] });
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'settled', transaction: last?.transaction });
});

test('an authorization that was withdrawn is given up at once, with its result', async () => {
  const { payer, reply, nonce } = await buyBadly(cutting('/settle', 'before'));
  expect(reply.status).toBe(503);
  await street.market.cancel(payer, nonce);
  expect(await pass(3)).toEqual({ ...NONE, failed: 1, troubles: [] });
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'failed', result: null, refusals: 1 });
});

test('what was refused and is on the chain all the same is found before it is forgotten', async () => {
  const { network } = street.market;
  let settled: Promise<string> | undefined;
  const { reply, nonce } = await buyBadly(({ path, pass: settle, response }) => {
    if (path !== '/settle') return false;
    const refused = { success: false, errorReason: 'insufficient_funds', transaction: '', network };
    response.end(JSON.stringify(refused));
    settled = new Promise((done) => setTimeout(done, 1_000)).then(settle);
    return true;
  });
  expect(reply.status).toBe(402);
  await settled;
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'failed' });
  expect(await pass(60)).toEqual({ ...NONE, settled: 1, troubles: [] });
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'settled' });
});

test('payments that stay open and a chain that cannot be read of one keep nobody waiting', async () => {
  const nonces: string[] = [];
  for (let count = 1; count <= 4; count += 1) {
    nonces.push((await buyBadly(cutting('/settle', count === 4 ? 'after' : 'before'))).nonce);
  }
  for (let turn = 1; turn <= 3; turn += 1) {
    expect(await pass(3 + turn, { limit: 1 })).toEqual({ ...NONE, open: 1, troubles: [] });
  }
  const { providers } = street.market;
  let asked = 0;
  const flaky: Providers = {
    network: providers.network,
    use: (work) => {
      asked += 1;
      return asked === 2 ? unreadable(providers.network).use(work) : providers.use(work);
    },
  };
  expect(await pass(10, { chain: flaky })).toEqual({ ...NONE, settled: 1, open: 3, troubles: [] });
  expect(asked).toBe(4);
  expect((await street.rowOf(nonces[3] ?? ''))?.state).toBe('settled');
});

const unreadable = (network: string): Providers =>
  createProviders({
    network,
    urls: ['http://127.0.0.1:1/'],
    fetch,
    sleep: () => Promise.resolve(),
    now: Date.now,
  });

// The chain's clock does not go back, so what makes it go on comes last.
test('a facilitator that lies about success is found out, once no block can prove it right', async () => {
  const { network } = street.market;
  const { reply, nonce } = await buyBadly(
    answering('/settle', { success: true, transaction: TRANSACTION, network }),
  );
  expect(reply.status).toBe(200);
  expect(await pass(2)).toEqual({ ...NONE, open: 1, troubles: [] });
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'settled', transaction: TRANSACTION });
  await street.market.passTime(700);
  const { troubles, ...counts } = await pass(2);
  expect(counts).toEqual({ ...NONE, disputed: 1 });
  expect(troubles).toEqual([expect.stringContaining(nonce)]);
  expect(await street.rowOf(nonce)).toMatchObject({ state: 'disputed' });
  expect(await pass(30)).toEqual({ ...NONE, troubles: [] });
});
