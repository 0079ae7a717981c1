import { HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  makeSettlement,
  makeStep,
  openNetwork,
  payerAddress,
  walletAddress,
} from '../testing/settlements.ts';
import { registerOwnWallet } from './purchases.ts';

const database = useTestDatabase();

it('leaves the payments of own wallets out of the figures, before and after their registration', async () => {
  const { add, record, readFigures } = openNetwork(database, 'eip155:137');
  const [own, other] = [payerAddress(8), payerAddress(9)];
  const wallet = walletAddress(9);
  await add('ownwallets', [wallet]);
  const pay = (block: number, payer: string) => makeSettlement(block, wallet, { payer });
  const now = T0 + HOUR_MS;
  await record(0, makeStep(10, [pay(3, own), pay(4, other)]));
  expect((await readFigures(wallet, now)).figures).toMatchObject({ volume: 20n, payers: 2 });
  expect(await registerOwnWallet(database.db, { address: own, now })).toBe(true);
  expect(await registerOwnWallet(database.db, { address: own, now })).toBe(false);
  expect((await readFigures(wallet, now)).figures).toMatchObject({ volume: 10n, settlements: 1, payers: 1 });
  // A plain transfer is no payment, and is recorded as before.
  const transfer = makeSettlement(13, wallet, { payer: own, kind: 'transfer' });
  const { recorded } = await record(0, makeStep(20, [pay(12, own), transfer]));
  expect(recorded).toBe(1);
  expect((await readFigures(wallet, now)).figures).toMatchObject({ volume: 10n, settlements: 1, payers: 1 });
});
