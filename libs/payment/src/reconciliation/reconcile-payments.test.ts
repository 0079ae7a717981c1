import { createProviders, type Providers } from '@touchstone/chain';
import { afterEach, expect, test } from 'vitest';
import { reconcilePayments } from '../index.ts';
import { readNonce, createPayment, post } from '../testing/buyer.ts';
import { respondWith, cutConnection, type Fault } from '../testing/facilitator-proxy.ts';
import { BODY, useTestService } from '../testing/test-service.ts';

const NONE = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
const TRANSACTION = `0x${'ab'.repeat(32)}`;

const service = useTestService();
afterEach(() => service.world.db.from('payments').delete().neq('payer', ''));

/** Runs reconciliation with a clock that is `minutes` minutes ahead of the real time. */
const reconcileAfter = (minutes: number, { chain = service.world.providers, limit = 100 } = {}) => {
  const errors: string[] = [];
  const counts = reconcilePayments({
    db: service.world.db,
    chain,
    now: () => Date.now() + minutes * 60_000,
    limit,
    onError: (message) => errors.push(message),
  });
  return counts.then((done) => ({ ...done, errors }));
};

/** Buys while the facilitator has a fault. */
const buyWithFault = async (fault: Fault) => {
  const seller = await service.openSeller();
  const payer = await service.world.createWallet();
  const { payment, payload } = await createPayment(payer, seller.trust, BODY);
  service.proxy.setFault(fault);
  const reply = await post(seller.trust, BODY, { payment });
  service.proxy.setFault(null);
  return { payer, reply, nonce: readNonce(payload) };
};

test('a wrong transaction in the response of the facilitator is corrected', async () => {
  const { network } = service.world;
  const { nonce } = await buyWithFault(async ({ path, forward: settle, response }) => {
    if (path !== '/settle') return false;
    await settle();
    response.end(JSON.stringify({ success: true, transaction: TRANSACTION, network }));
    return true;
  });
  const last = (await service.world.listTransfersTo(service.payTo)).at(-1);
  expect(await reconcileAfter(2)).toEqual({ ...NONE, audited: 1, errors: [] });
  expect(await service.findPaymentRow(nonce)).toMatchObject({
    state: 'settled',
    transaction: last?.transaction,
  });
});

test('a payment with a canceled authorization is marked as failed at once, and its result is deleted', async () => {
  const { payer, reply, nonce } = await buyWithFault(cutConnection('/settle', 'before'));
  expect(reply.status).toBe(503);
  await service.world.cancelAuthorization(payer, nonce);
  expect(await reconcileAfter(3)).toEqual({ ...NONE, failed: 1, errors: [] });
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'failed', result: null, refusals: 1 });
});

test('a refused payment that is on the chain is found before its row is deleted', async () => {
  const { network } = service.world;
  let settle: (() => Promise<unknown>) | undefined;
  const { reply, nonce } = await buyWithFault(({ path, forward, response }) => {
    if (path !== '/settle') return false;
    settle = forward;
    const refused = { success: false, errorReason: 'insufficient_funds', transaction: '', network };
    response.end(JSON.stringify(refused));
    return true;
  });
  expect(reply.status).toBe(402);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'failed' });
  await settle?.();
  expect(await reconcileAfter(60)).toEqual({ ...NONE, settled: 1, errors: [] });
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled' });
});

test('open payments and one unreadable payment do not delay the others', async () => {
  const nonces: string[] = [];
  for (let count = 1; count <= 4; count += 1) {
    nonces.push((await buyWithFault(cutConnection('/settle', count === 4 ? 'after' : 'before'))).nonce);
  }
  for (let run = 1; run <= 3; run += 1) {
    expect(await reconcileAfter(3 + run, { limit: 1 })).toEqual({ ...NONE, open: 1, errors: [] });
  }
  const { providers } = service.world;
  let queries = 0;
  const flaky: Providers = {
    network: providers.network,
    use: (work) => {
      queries += 1;
      return queries === 2 ? unreadable(providers.network).use(work) : providers.use(work);
    },
  };
  expect(await reconcileAfter(10, { chain: flaky })).toEqual({ ...NONE, settled: 1, open: 3, errors: [] });
  expect(queries).toBe(4);
  expect((await service.findPaymentRow(nonces[3] ?? ''))?.state).toBe('settled');
});

const unreadable = (network: string): Providers =>
  createProviders({
    network,
    urls: ['http://127.0.0.1:1/'],
    fetch,
    sleep: () => Promise.resolve(),
    now: Date.now,
  });

test('an unsettled payment is marked as failed when the chain has passed its end by a margin', async () => {
  const { nonce } = await buyWithFault(cutConnection('/settle', 'before'));
  // Our clock has passed the end of the payment, but the time of the chain has not.
  expect(await reconcileAfter(200)).toEqual({ ...NONE, open: 1, errors: [] });
  // The time of the chain is later than the end of the payment. The margin for nodes that are some blocks behind has
  // not passed yet.
  service.world.advanceTime(400);
  expect(await reconcileAfter(200)).toEqual({ ...NONE, open: 1, errors: [] });
  service.world.advanceTime(400);
  expect(await reconcileAfter(200)).toEqual({ ...NONE, failed: 1, errors: [] });
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'failed' });
});

test('a false report of a settlement is disputed once the authorization has expired on the chain', async () => {
  const { network } = service.world;
  const { reply, nonce } = await buyWithFault(
    respondWith('/settle', { success: true, transaction: TRANSACTION, network }),
  );
  expect(reply.status).toBe(200);
  expect(await reconcileAfter(2)).toEqual({ ...NONE, open: 1, errors: [] });
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'settled', transaction: TRANSACTION });
  service.world.advanceTime(700);
  const { errors, ...counts } = await reconcileAfter(2);
  expect(counts).toEqual({ ...NONE, disputed: 1 });
  expect(errors).toEqual([expect.stringContaining(nonce)]);
  expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'disputed' });
  expect(await reconcileAfter(30)).toEqual({ ...NONE, errors: [] });
});
