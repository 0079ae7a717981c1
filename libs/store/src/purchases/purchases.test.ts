import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { readOperationalMetrics, type SnapshotRow } from '../index.ts';
import { makeId, makePayOn, T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  makeSettlement,
  makeStep,
  openNetwork,
  payerAddress,
  walletAddress,
} from '../testing/settlements.ts';
import {
  claimOpenPurchases,
  decidePurchase,
  findPurchaseCandidates,
  postponePurchases,
  publishPurchases,
  recordPurchaseAnswer,
  recordSignedPurchase,
  reservePurchase,
  type NewPurchase,
  type PurchaseDecision,
} from './purchases.ts';

const database = useTestDatabase();
const NETWORK = 'eip155:8453';
const BUDGET = { purchase: '0.05', endpoint: '0.10', day: '1', total: '25' };
const ID = makeId(1);
const CHARGED = {
  charged: true,
  transfer: { transaction: '0xt', block: 7, at: T0 },
} as const;
const ANSWER = {
  httpStatus: 200,
  contentType: 'application/json',
  bodyBytes: 9,
  bodySha256: 'a'.repeat(64),
  totalMs: 12,
  failure: null,
  schemaFindings: ['The body lacks `temperature`.'],
} as const;

beforeEach(async () => {
  await database.connection.driver.exec(
    'delete from public.purchases; delete from public.endpoints; delete from public.maintenance_windows;',
  );
  await database.discover('snap', T0, [ID]);
  await database.publish(ID, T0);
});

let purchases = 0;
const makePurchase = (id = ID, extra: Partial<NewPurchase> = {}): NewPurchase => {
  purchases += 1;
  return {
    id: `p_${'a'.repeat(16)}${makeId(purchases)}`,
    endpointId: id,
    resource: `https://${id}.example.com/`,
    host: `${id}.example.com`,
    method: 'GET',
    requestedUrl: `https://${id}.example.com/`,
    requestSha256: null,
    network: NETWORK,
    asset: '0xusdc',
    payer: payerAddress(1),
    payTo: '0xa',
    amount: 10_000n,
    amountUsd: '0.010000',
    ...extra,
  };
};
const reserve = (purchase: NewPurchase, now = T0, budget = BUDGET) =>
  reservePurchase(database.db, purchase, { budget, now, leaseUntil: now + MINUTE_MS });
const decide = (id: string, decision: PurchaseDecision, now = T0) =>
  decidePurchase(database.db, { id, decision, now });
/** Stores a purchase with an outcome. Returns its id. */
const buy = async (purchase: NewPurchase, decision: Partial<PurchaseDecision> = {}, now = T0) => {
  expect(await reserve(purchase, now)).toBe('reserved');
  await decide(purchase.id, { outcome: 'delivered', ...CHARGED, ...decision }, now);
  return purchase.id;
};
const find = async (
  now = T0,
  extra: { readonly networks?: readonly string[]; readonly budget?: typeof BUDGET } = {},
) => {
  const query = { networks: [NETWORK], budget: BUDGET, now, limit: 10, ...extra };
  return (await findPurchaseCandidates(database.db, query)).map(({ endpointId }) => endpointId);
};

describe('candidates', () => {
  it.each<[string, Partial<SnapshotRow['snapshot']>, boolean]>([
    ['a listed, payable endpoint', {}, true],
    ['an endpoint that another network pays as well', { network: 'eip155:1', payOn: [makePayOn()] }, true],
    ['another network only', { network: 'eip155:1', payOn: [makePayOn({ network: 'eip155:1' })] }, false],
    ['a price above the limit', { amountUsd: '0.050001' }, false],
    ['no price', { amountUsd: null }, false],
    ['a delisted endpoint', { listingStatus: 'delisted' }, false],
    ['an endpoint that is failing', { failingSince: '2026-11-01T00:00:00.000Z' }, false],
    ['a challenge with errors', { isCompliant: false }, false],
    ['a URL template', { templated: true }, false],
    ['an endpoint to avoid', { recommendation: 'avoid', errorFlags: 1 }, false],
    [
      'an endpoint to avoid for failed purchases alone',
      {
        recommendation: 'avoid',
        errorFlags: 1,
        delivery: { state: 'failed', last: null, buyers: { delivered: 0, failed: 0 } },
      },
      true,
    ],
    [
      'an endpoint to avoid for failed purchases and more',
      {
        recommendation: 'avoid',
        errorFlags: 2,
        delivery: { state: 'failed', last: null, buyers: { delivered: 0, failed: 0 } },
      },
      false,
    ],
  ])('%s', async (_, snapshot, isFound) => {
    await database.publish(ID, T0, { snapshot });
    expect(await find()).toEqual(isFound ? [ID] : []);
  });

  it('are one of each host, and repeats, unbought endpoints and endpoints with traffic come first', async () => {
    const [bought, repeat, quiet, busy] = [2, 3, 4, 5].map(makeId) as [string, string, string, string];
    const { add, record } = openNetwork(database, NETWORK);
    await database.discover('snap', T0, [ID, bought, repeat, quiet]);
    for (const id of [bought, repeat, quiet]) await database.publish(id, T0);
    await database.publish(quiet, T0, { snapshot: { host: `${busy}.example.com` } });
    await add(busy, [walletAddress(1)]);
    await database.db
      .from('endpoint_wallets')
      .upsert({
        network: NETWORK,
        pay_to: walletAddress(1),
        host: `${busy}.example.com`,
        endpoint_id: busy,
        challenged: true,
      })
      .throwOnError();
    await record(0, makeStep(10, [makeSettlement(3, walletAddress(1))]));
    await buy(makePurchase(bought));
    await buy(makePurchase(repeat), { outcome: 'pay-again' });
    expect(await find(T0 + HOUR_MS)).toEqual([busy, ID]);
    expect(await find(T0 + DAY_MS)).toEqual([repeat, busy, ID]);
    expect(await find(T0 + 7 * DAY_MS)).toEqual([repeat, busy, ID, bought]);
    await postponePurchases(database.db, { endpointIds: [ID, repeat], until: T0 + 8 * DAY_MS });
    expect(await find(T0 + 7 * DAY_MS)).toEqual([busy, bought]);
  });

  it.each([
    ['the host', null, []],
    ['the endpoint', ID, []],
    ['another endpoint', makeId(2), [ID]],
  ])('are none during a maintenance window of %s', async (_, endpointId, expected) => {
    await database.discover('snap', T0, [ID, makeId(2)]);
    const toTime = (at: number) => new Date(at).toISOString();
    await database.db
      .from('maintenance_windows')
      .insert({
        ...{ host: `${ID}.example.com`, endpoint_id: endpointId, text: 'Update' },
        ...{ announced_at: toTime(T0), starts_at: toTime(T0 + HOUR_MS), ends_at: toTime(T0 + 2 * HOUR_MS) },
      })
      .throwOnError();
    expect(await find(T0 + HOUR_MS)).toEqual(expected);
    expect([await find(T0 + HOUR_MS - 1), await find(T0 + 2 * HOUR_MS)]).toEqual([[ID], [ID]]);
  });

  it('are none beside an open purchase of the host, and without a rest of the budget', async () => {
    const { id } = makePurchase();
    await reserve(makePurchase(ID, { id, endpointId: makeId(1) }));
    expect(await find(T0 + 8 * DAY_MS)).toEqual([]);
    await decide(id, { outcome: 'unclear', charged: null, transfer: null });
    expect(await find(T0 + 8 * DAY_MS)).toEqual([ID]);
    expect(await find(T0 + 8 * DAY_MS, { budget: { ...BUDGET, total: '0.01' } })).toEqual([]);
  });
});

describe('a reservation', () => {
  it.each([
    ['a purchase', { purchase: '0.009' }, 'budget'],
    ['a day', { day: '0.019' }, 'budget'],
    ['all purchases', { total: '0.019' }, 'budget'],
    ['an endpoint', { endpoint: '0.009' }, 'endpoint'],
    ['nothing', {}, 'reserved'],
  ])('keeps the limit of %s', async (_, limits, expected) => {
    await database.discover('snap', T0, [ID, makeId(2)]);
    await buy(makePurchase(makeId(2)));
    expect(await reserve(makePurchase(), T0, { ...BUDGET, ...limits })).toBe(expected);
  });

  it('of a recipient on a network keeps the limit of an endpoint', async () => {
    const ids = [2, 3, 4].map(makeId);
    await database.discover('snap', T0, [ID, ...ids]);
    const [first = '', second = '', third = ''] = ids;
    const limits = { ...BUDGET, endpoint: '0.01' };
    const payTo = '0xshared';
    await buy(makePurchase(first, { payTo }));
    expect(await reserve(makePurchase(second, { payTo }), T0, limits)).toBe('endpoint');
    expect(await reserve(makePurchase(second, { payTo, network: 'eip155:137' }), T0, limits)).toBe(
      'reserved',
    );
    expect(await reserve(makePurchase(third, { payTo }), T0 + 7 * DAY_MS, limits)).toBe('reserved');
  });

  it('counts purchases that may be charged, of the UTC day, and of an endpoint in 7 days', async () => {
    const daily = { ...BUDGET, day: '0.01', endpoint: '0.01' };
    await buy(makePurchase(), { outcome: 'refused-uncharged', charged: false, transfer: null });
    expect(await reserve(makePurchase(), T0 + DAY_MS, daily)).toBe('endpoint');
    expect(await reserve(makePurchase(), T0 + 7 * DAY_MS, daily)).toBe('reserved');
    expect(await reserve(makePurchase(), T0 + 7 * DAY_MS, daily)).toBe('host');
    await decide(makePurchase().id, { outcome: 'delivered', ...CHARGED });
    const other = makePurchase(ID, { host: 'other.example.com' });
    expect(await reserve(other, T0 + 7 * DAY_MS, daily)).toBe('budget');
  });

  it('of concurrent workers never exceeds the budget', async () => {
    const ids = [2, 3, 4, 5, 6, 7].map(makeId);
    await database.discover('snap', T0, ids);
    const results = await Promise.all(
      ids.map((id) => reserve(makePurchase(id), T0, { ...BUDGET, day: '0.025' })),
    );
    expect(results.toSorted()).toEqual(['budget', 'budget', 'budget', 'budget', 'reserved', 'reserved']);
  });
});

describe('the steps of a purchase', () => {
  const sign = (id: string, now: number) =>
    recordSignedPurchase(database.db, { id, nonce: `0x${'b'.repeat(64)}`, validBefore: T0 + MINUTE_MS, now });
  const claim = (now: number) =>
    claimOpenPurchases(database.db, { now, leaseUntil: now + MINUTE_MS, limit: 10 });

  it('are taken up by another worker only after the lease', async () => {
    const purchase = makePurchase();
    await reserve(purchase);
    expect(await claim(T0 + MINUTE_MS - 1)).toEqual([]);
    expect(await claim(T0 + MINUTE_MS)).toMatchObject([{ id: purchase.id, nonce: null, amount: 10_000n }]);
    expect(await claim(T0 + MINUTE_MS)).toEqual([]);
    const { queues } = await readOperationalMetrics(database.db, T0 + HOUR_MS);
    expect(queues).toContainEqual({ queue: 'purchases', items: 1, oldestAt: T0 });
  });

  it('store a payment once, and not after the lease', async () => {
    const [first, late] = [makePurchase(), makePurchase(makeId(2))];
    await database.discover('snap', T0, [ID, makeId(2)]);
    await reserve(first);
    await reserve(late);
    expect([await sign(first.id, T0), await sign(first.id, T0), await sign(late.id, T0 + MINUTE_MS)]).toEqual(
      [true, false, false],
    );
  });

  it('store an answer, and one decision', async () => {
    const { id } = makePurchase();
    await reserve(makePurchase(ID, { id }));
    await sign(id, T0);
    await recordPurchaseAnswer(database.db, { id, answer: ANSWER, now: T0 + 1 });
    await recordPurchaseAnswer(database.db, { id, answer: { ...ANSWER, httpStatus: 500 }, now: T0 + 2 });
    expect(await claim(T0 + HOUR_MS)).toMatchObject([
      { ...ANSWER, answeredAt: T0 + 1, validBefore: T0 + MINUTE_MS },
    ]);
    expect(await decide(id, { outcome: 'delivered', ...CHARGED }, T0 + 3)).toBe(true);
    expect(await decide(id, { outcome: 'unclear', charged: false, transfer: null }, T0 + 4)).toBe(false);
    expect(await claim(T0 + 2 * HOUR_MS)).toEqual([]);
  });
});

describe('publication', () => {
  const publish = (now: number) => publishPurchases(database.db, { now, limit: 10 });

  it.each([
    ['delivered', 0],
    ['refused-uncharged', 0],
    ['unclear', 0],
    ['paid-not-delivered', DAY_MS],
    ['pay-again', DAY_MS],
    ['wrong-body', DAY_MS],
    ['late', DAY_MS],
  ] as const)(
    'of the outcome %s follows after %i ms, and queues the endpoint for scoring',
    async (outcome, waitMs) => {
      await database.publish(ID, T0, { revision: 1 });
      await buy(makePurchase(), { outcome });
      if (waitMs > 0) expect(await publish(T0 + waitMs - 1)).toBe(0);
      await database.db.from('scoring_queue').delete().eq('endpoint_id', ID).throwOnError();
      expect([await publish(T0 + waitMs), await publish(T0 + waitMs)]).toEqual([1, 0]);
      expect(await database.readQueue(T0 + waitMs)).toEqual([ID]);
    },
  );

  it('repeats a failure daily, also after a purchase that shows nothing', async () => {
    await buy(makePurchase(), { outcome: 'pay-again' });
    await buy(makePurchase(), { outcome: 'unclear', charged: false, transfer: null }, T0 + DAY_MS);
    expect(await find(T0 + 2 * DAY_MS - 1)).toEqual([]);
    await buy(makePurchase(), {}, T0 + 2 * DAY_MS);
    expect(await find(T0 + 9 * DAY_MS - 1)).toEqual([]);
    expect(await find(T0 + 9 * DAY_MS)).toEqual([ID]);
  });
});
