import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPurchaseWorld, type PurchaseWorld } from '../testing/purchase-world.ts';
import { useWorld } from '../testing/world.ts';
import { buyPurchases } from './buy-purchases.ts';
import type { PurchaseContext } from './purchase-context.ts';

const world = useWorld({ isShared: true });
let shop: PurchaseWorld;
let endpointId = '';

beforeAll(async () => {
  shop = await openPurchaseWorld(world);
  endpointId = await shop.storeEndpoint('https://fxline.sandbox.test/v1/rates/latest', { base: 'USD' });
});
afterAll(() => shop.close());
beforeEach(async () => {
  await world.context.db.from('purchases').delete().neq('id', '').throwOnError();
  await world.context.db.from('purchase_schedules').delete().eq('endpoint_id', endpointId).throwOnError();
});

const readRow = async () => {
  const [row] = await shop.readLedger();
  return [row?.outcome, row?.charged, row?.failure];
};
/** Returns the context of the job with another status, or an early end, of each paid response. */
const createFailing = (change: object): PurchaseContext =>
  shop.createContext({
    send: async (request) => {
      const probe = await shop.send(request);
      return Object.keys(request.headers).length === 0 ? probe : { ...probe, ...change };
    },
  });

it('counts a charge only after the confirmations of the network', async () => {
  const context = shop.createContext();
  const chains = context.chains?.map((chain) => ({ ...chain, confirmations: 1_000_000 })) ?? [];
  await buyPurchases({ ...context, chains });
  expect(await readRow()).toEqual([null, null, null]);
  shop.advance(HOUR_MS);
  await buyPurchases(context);
  expect(await readRow()).toEqual(['delivered', true, null]);
});

it('accuses no seller while a second provider does not show the charge, and gives up after a day', async () => {
  const context = createFailing({ httpStatus: 502 });
  const providers = shop.createChain(globalThis.fetch, ['http://127.0.0.1:1/']);
  const chains = [{ providers, confirmations: 0 }];
  await buyPurchases({ ...context, chains });
  expect(await readRow()).toEqual([null, null, null]);
  shop.advance(2 * HOUR_MS);
  await buyPurchases({ ...context, chains });
  expect(await readRow()).toEqual([null, null, null]);
  shop.advance(DAY_MS);
  await buyPurchases({ ...context, chains });
  expect(await readRow()).toEqual(['unclear', null, null]);
});

it.each([
  [false, 'wrong-body', 'closed'],
  [true, 'unclear', 'internal'],
])('checks its own network after a response that ended early: %s', async (isOutage, outcome, failure) => {
  const context = createFailing({ bodyEnd: 'closed' });
  const { httpStatus, ...probe } = await shop.send({
    ...{ url: 'https://fxline.sandbox.test/v1/rates/latest', method: 'GET', headers: {}, body: '' },
    ...{ timeoutMs: 10_000, maxReplyBytes: 1_000 },
  });
  const prober = () => Promise.resolve({ ...probe, httpStatus: isOutage ? null : httpStatus });
  await buyPurchases({ ...context, canaries: { urls: ['https://canary.example/'], prober } });
  expect(await readRow()).toEqual([outcome, true, failure]);
});
