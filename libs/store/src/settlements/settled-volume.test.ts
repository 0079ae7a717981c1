import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { recordEcosystemDay } from '../index.ts';
import { makePayOn, T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  makeSettlement,
  makeStep,
  openNetwork,
  payerAddress,
  walletAddress,
} from '../testing/settlements.ts';

const database = useTestDatabase();
const MINUTES_PER_DAY = DAY_MS / 60_000;
const now = T0 + 3 * DAY_MS + HOUR_MS;
const head = 3 * MINUTES_PER_DAY + 30;
const [shared, sibling, single, unproven] = [1, 2, 3, 4].map(walletAddress) as [
  string,
  string,
  string,
  string,
];
const [ann, bob, cat] = [1, 2, 3].map(payerAddress) as [string, string, string];

const readSettled = async () => {
  const { settledVolumeUsd30d, receivers30d, payers30d } = await database.openStore().readEcosystem();
  return { settledVolumeUsd30d, receivers30d, payers30d };
};

it('counts each wallet and payer once, without payments that were sent back or stayed with one seller', async () => {
  const { advertise, network, open, record } = openNetwork(database, 'eip155:70001');
  await advertise('settledaaa', [shared, sibling]);
  await advertise('settledbbb', [shared]);
  await advertise('settledccc', [single]);
  await advertise('settledddd', [unproven]);
  // A directory names this wallet, and no challenge does.
  await database.publish('settledddd', T0, {
    snapshot: { payOn: [makePayOn({ network, payTo: unproven })] },
    detail: { scoringVersion: '1.0.0', inputs: { everChallenged: false }, facts: {} },
  });
  await open(T0);
  await recordEcosystemDay(database.db, T0 - DAY_MS);
  expect(await readSettled()).toEqual({ settledVolumeUsd30d: null, receivers30d: null, payers30d: null });

  const pay = (payer: string, payTo: string, usd: bigint) =>
    makeSettlement(10, payTo, { payer, amount: usd * 1_000_000n });
  const sendBack = (from: string, to: string, usd: bigint) =>
    makeSettlement(20, to, { payer: from, amount: usd * 1_000_000n, kind: 'sent' });
  await record(
    0,
    makeStep(head, [
      ...[pay(ann, shared, 6n), pay(ann, single, 4n), pay(bob, shared, 2n), pay(cat, unproven, 100n)],
      ...[sendBack(shared, ann, 1n), sendBack(sibling, bob, 5n), pay(sibling, shared, 9n)],
    ]),
  );
  await recordEcosystemDay(database.db, now);
  expect(await readSettled()).toEqual({ settledVolumeUsd30d: '9.000000', receivers30d: 2, payers30d: 1 });
});
