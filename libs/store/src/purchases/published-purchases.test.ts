import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { makeId, T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  decidePurchase,
  publishPurchases,
  recordPurchaseAnswer,
  recordSignedPurchase,
  registerOwnWallet,
  reservePurchase,
  type NewPurchase,
} from './purchases.ts';

const database = useTestDatabase();
const ENDPOINTS = [makeId(1), makeId(2), makeId(3)];
const BUDGET = { purchase: '1', endpoint: '10', day: '10', total: '10' };
const TRANSFER = { transaction: '0xt', block: 7, at: T0 };

const toResource = (endpointId: string): string => `https://${endpointId}.example.com/`;

/** Stores a purchase from an endpoint, with its outcome unless that is null. Returns the id of the purchase. */
async function buy(endpointId: string, at: number, outcome: 'delivered' | 'pay-again' | null) {
  const id = `p_${endpointId.padStart(26, 'a')}`;
  const resource = toResource(endpointId);
  const purchase: NewPurchase = {
    ...{ id, endpointId, resource, host: new URL(resource).host },
    ...{ method: 'GET', requestedUrl: `${resource}?a=1`, requestSha256: null },
    ...{
      network: 'eip155:8453',
      asset: '0xusdc',
      payer: '0xa',
      payTo: '0xb',
      amount: 10_000n,
      amountUsd: '0.01',
    },
  };
  await reservePurchase(database.db, purchase, { budget: BUDGET, now: at, leaseUntil: at + HOUR_MS });
  const decision = outcome && { outcome, charged: true, transfer: TRANSFER };
  if (decision !== null) await decidePurchase(database.db, { id, decision, now: at });
  return id;
}

it('the ledger withholds a failure for a day, and only counts it until then', async () => {
  const store = database.openStore();
  const [first = '', second = '', third = ''] = ENDPOINTS;
  await database.discover('ledger', T0, ENDPOINTS);
  await database.publish(first, T0);
  await registerOwnWallet(database.db, { address: '0xa', now: T0 });
  const delivered = await buy(first, T0 - DAY_MS, 'delivered');
  const failed = await buy(second, T0, 'pay-again');
  const open = await buy(third, T0 + 1, null);
  await publishPurchases(database.db, { now: T0 + 2, limit: 10 });

  const { purchases: entries, ...sums } = await store.readPurchaseLedger({ now: T0 + 2, limit: 10 });
  expect(sums).toEqual({
    wallets: ['0xa'],
    spent: { todayUsd: '0.02', totalUsd: '0.03', purchases: 3, charged: 2, undecided: 1, withheld: 1 },
    outcomes: { delivered: 1 },
  });
  expect(entries).toMatchObject([
    {
      id: delivered,
      resource: toResource(first),
      outcome: 'delivered',
      transaction: '0xt',
    },
  ]);
  expect(entries[0]?.slug).toContain(first);
  expect([await store.findPurchase(failed), await store.findPurchase(open)]).toEqual([null, null]);
  expect(await store.findPurchase(delivered)).toMatchObject({
    ...{
      resource: toResource(first),
      amount: '10000',
      amountUsd: '0.01',
      transaction: '0xt',
      blockNumber: 7,
    },
    ...{ answeredAt: null, publishedAt: new Date(T0 + 2).toISOString(), outcome: 'delivered' },
  });

  await publishPurchases(database.db, { now: T0 + DAY_MS, limit: 10 });
  expect(await store.findPurchase(failed)).toMatchObject({ outcome: 'pay-again' });
  expect((await store.readPurchaseLedger({ now: T0 + DAY_MS, limit: 2 })).purchases).toHaveLength(2);
});

it.each([
  [1, null, 0],
  [2, 'closed', null],
] as const)(
  'facts %i state the length of a body only without a failure: %s',
  async (number, failure, expected) => {
    const endpointId = makeId(number + 10);
    await database.discover(`facts ${number}`, T0, [endpointId]);
    const id = await buy(endpointId, T0, null);
    const nonce = `0x${String(number).repeat(64)}`;
    await recordSignedPurchase(database.db, { id, nonce, validBefore: T0 + HOUR_MS, now: T0 });
    const answer = { httpStatus: 200, contentType: null, bodyBytes: 0, bodySha256: null, totalMs: 1 };
    await recordPurchaseAnswer(database.db, {
      id,
      answer: { ...answer, failure, schemaFindings: null },
      now: T0,
    });
    const decision = { outcome: 'wrong-body', charged: true, transfer: TRANSFER } as const;
    await decidePurchase(database.db, { id, decision, now: T0 });
    const now = T0 + DAY_MS;
    await publishPurchases(database.db, { now, limit: 10 });
    const query = { p_now: new Date(now).toISOString(), p_endpoint_ids: [endpointId] };
    const { data } = await database.db.rpc('delivery_facts', query).throwOnError();
    expect(data[0]?.facts).toMatchObject({ purchases: [{ id, bodyBytes: expected }] });
  },
);
