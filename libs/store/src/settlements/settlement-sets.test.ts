import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettlementFigures } from '../index.ts';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import {
  makeSettlement,
  payerAddress,
  makeStep,
  walletAddress,
  openNetwork,
} from '../testing/settlements.ts';

/** Creates the wallets of one endpoint on two networks. */
const [ONE, OTHER] = ['eip155:8453', 'eip155:137'];
const [till, second, third, outside] = [
  walletAddress(1),
  walletAddress(2),
  walletAddress(3),
  walletAddress(4),
];
const now = T0 + 2 * HOUR_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const [one, other] = [openNetwork(database, ONE), openNetwork(database, OTHER)];
  await one.advertise('oneaaaaaaa', [till, second, outside]);
  await other.advertise('otheraaaaa', [third]);
  await one.open(T0);
  await other.open(T0);
  await one.record(
    0,
    makeStep(100, [
      makeSettlement(1, till, { amount: 50n, payer: payerAddress(1) }),
      makeSettlement(2, second, { amount: 20n, payer: payerAddress(1) }),
      makeSettlement(3, second, { amount: 10n, payer: payerAddress(2) }),
      // Between two wallets of the set, and from a wallet with the same address on another network.
      makeSettlement(4, second, { amount: 900n, payer: till }),
      makeSettlement(5, till, { amount: 800n, payer: third }),
      makeSettlement(6, till, { amount: 5n, payer: outside }),
    ]),
  );
  await other.record(0, makeStep(60, [makeSettlement(50, third, { amount: 15n, payer: payerAddress(1) })]));
});
afterAll(() => database.close());

const makeSetWallet = (network: string, payTo: string, isCounted = true) => ({ network, payTo, isCounted });
const readFigures = async (...sets: Parameters<typeof readSettlementFigures>[1]) =>
  readSettlementFigures(database.db, sets, now);

describe('the figures of a set of wallets', () => {
  it('count a payer of several wallets once, and exclude payments between the wallets', async () => {
    const [set] = await readFigures([
      makeSetWallet(ONE, till),
      makeSetWallet(ONE, second.toUpperCase().replace('0X', '0x')),
      makeSetWallet(OTHER, third),
    ]);
    // Payer 1: 50 + 20 + 15, payer 2: 10, another payer: 5. The share is 85 of 100.
    expect(set?.total).toEqual({
      volume: 100n,
      settlements: 5,
      payers: 3,
      topPayerShare: 0.85,
      lastSettledAt: T0 + 50 * 60_000,
    });
    expect(set?.wallets.map(({ network, payTo, figures }) => [network, payTo, figures])).toEqual([
      [
        OTHER,
        third,
        {
          ...{ volume: 15n, settlements: 1, payers: 1, topPayerShare: 1, lastSettledAt: T0 + 50 * 60_000 },
          self: { volume: 0n, settlements: 0 },
        },
      ],
      [
        ONE,
        till,
        {
          ...{
            volume: 55n,
            settlements: 2,
            payers: 2,
            topPayerShare: 0.90909,
            lastSettledAt: T0 + 6 * 60_000,
          },
          self: { volume: 800n, settlements: 1 },
        },
      ],
      [
        ONE,
        second,
        {
          ...{ volume: 30n, settlements: 2, payers: 2, topPayerShare: 0.666666 },
          lastSettledAt: T0 + 3 * 60_000,
          self: { volume: 900n, settlements: 1 },
        },
      ],
    ]);
  });

  it('are separate for each set, in the requested order', async () => {
    const sets = await readFigures(
      [makeSetWallet(ONE, second)],
      [],
      [makeSetWallet(ONE, till)],
      [makeSetWallet(ONE, second)],
    );
    const volumes = sets.map(({ total }) => total?.volume ?? null);
    expect(volumes).toEqual([930n, null, 855n, 930n]);
  });

  it('exclude the settlements of an uncounted wallet, but treat it as part of the set', async () => {
    const [set] = await readFigures([makeSetWallet(ONE, second), makeSetWallet(ONE, till, false)]);
    expect(set?.wallets.find(({ payTo }) => payTo === till)?.figures).toBeNull();
    expect(set?.total).toMatchObject({ volume: 30n, settlements: 2, payers: 2 });
  });

  it('cover only the measured wallets', async () => {
    const unread = walletAddress(9);
    const [set, none] = await readFigures(
      [makeSetWallet(ONE, second), makeSetWallet(ONE, till), makeSetWallet('eip155:10', unread)],
      [makeSetWallet(ONE, unread)],
    );
    expect(set?.total).toMatchObject({ volume: 885n, payers: 4, settlements: 5 });
    expect(set?.wallets.filter(({ figures }) => figures === null).map(({ payTo }) => payTo)).toEqual([
      unread,
    ]);
    expect(none).toMatchObject({
      total: null,
      wallets: [{ payTo: unread, figures: null, throughBlock: null }],
    });
  });
});
