import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { beforeAll, expect, it } from 'vitest';
import {
  decidePurchase,
  publishPurchases,
  readUnpublishedPurchases,
  readWatchLog,
  reservePurchase,
  verifyClaim,
  type NewNotices,
  type PurchaseDecision,
} from '../index.ts';
import { makeEndpoint, makeId, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { makeDestination, makeWatchId, openWatches } from '../testing/watches.ts';
import { editClaim } from './claim-settings.ts';

const database = useTestDatabase();
const ID = makeId(1);
const host = 'api.purchases.test';
const resource = `https://${host}/x`;
const claimId = `c_${'a'.repeat(26)}`;
const noticeWatch = makeWatchId();
let paidWatch: string;
beforeAll(async () => {
  await database.discover('purchases', T0, [makeEndpoint(ID, { host, resource })]);
  await verifyClaim(
    database.db,
    { id: claimId, host, proofKey: 'a', proof: 'dns' },
    { replaced: null, nextCheckAt: T0 + DAY_MS, now: T0 },
  );
  const notices: NewNotices = {
    watches: [{ id: noticeWatch, endpointId: ID, secretHash: 'hash' }],
    ...{ signingKey: 'key', events: ['liveness_down'], destination: makeDestination('provider') },
  };
  await editClaim(database.db, { id: claimId, edit: { notices }, now: T0 });
  paidWatch = await openWatches(database).buy(ID);
});

let purchases = 0;
/** Stores a purchase with an outcome. Returns its id. */
async function buy(outcome: PurchaseDecision['outcome'], now: number): Promise<void> {
  const id = `p_${'a'.repeat(16)}${makeId((purchases += 1))}`;
  await reservePurchase(
    database.db,
    {
      ...{ id, endpointId: ID, resource, host, method: 'GET', requestedUrl: resource, requestSha256: null },
      ...{ network: 'eip155:8453', asset: '0xusdc', payer: '0xbuyer', payTo: '0xseller' },
      ...{ amount: 10_000n, amountUsd: '0.010000' },
    },
    {
      budget: { purchase: '1', endpoint: '9', day: '9', total: '9' },
      ...{ now, leaseUntil: now + HOUR_MS },
    },
  );
  const transfer = { transaction: `0x${id}`, block: 7, at: now };
  const decision = { outcome, charged: true, transfer };
  expect(await decidePurchase(database.db, { id, decision, now: now + 1000 })).toBe(true);
}

const readNotices = async (watchId: string) => {
  const query = { watchId, alertsAfter: 0, lifecycleAfter: 0, limit: 10 };
  const { lifecycle } = await readWatchLog(database.db, query);
  return lifecycle.filter(({ type }) => type === 'purchase_not_delivered');
};
const read = () => readUnpublishedPurchases(database.db, { host, limit: 10 });

it('tells a claimed provider of a purchase without delivery a day before its publication, and no paid watch', async () => {
  const [first, second] = [T0 + HOUR_MS, T0 + 3 * DAY_MS];
  await buy('pay-again', first);
  const publishAfter = toIso(first + 1000 + DAY_MS);
  expect(await read()).toMatchObject([
    {
      ...{ resource, outcome: 'pay-again', purchasedAt: toIso(first), publishAfter },
      ...{ requestedUrl: resource, httpStatus: null, schemaFindings: null },
    },
  ]);
  expect(await readNotices(noticeWatch)).toMatchObject([
    {
      at: first + 1000,
      data: { purchase: { outcome: 'pay-again', transaction: expect.stringMatching(/^0xp_/) as unknown } },
    },
  ]);
  expect(await readNotices(paidWatch)).toEqual([]);
  await publishPurchases(database.db, { now: first + DAY_MS, limit: 10 });
  expect(await read()).toHaveLength(1);
  await publishPurchases(database.db, { now: first + DAY_MS + 1000, limit: 10 });
  expect(await read()).toEqual([]);
  await buy('delivered', second);
  expect(await readNotices(noticeWatch)).toHaveLength(1);
});
