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

/** CAIP-2 ids of the two networks on which the tested set has wallets. */
const [ONE, OTHER] = ['eip155:8453', 'eip155:137'];
const [first, second, third, outside] = [
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
  await one.advertise('oneaaaaaaa', [first, second, outside]);
  await other.advertise('otheraaaaa', [third]);
  await one.open(T0);
  await other.open(T0);
  await one.record(
    0,
    makeStep(100, [
      makeSettlement(1, first, { amount: 50n, payer: payerAddress(1) }),
      makeSettlement(2, second, { amount: 20n, payer: payerAddress(1) }),
      makeSettlement(3, second, { amount: 10n, payer: payerAddress(2) }),
      // Self-payments: one between two wallets of the set, and one from an address that is a wallet of the set on the
      // other network.
      makeSettlement(4, second, { amount: 900n, payer: first }),
      makeSettlement(5, first, { amount: 800n, payer: third }),
      makeSettlement(6, first, { amount: 5n, payer: outside }),
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
      makeSetWallet(ONE, first),
      makeSetWallet(ONE, second.toUpperCase().replace('0X', '0x')),
      makeSetWallet(OTHER, third),
    ]);
    // The volume is the sum of 85 from payer 1 (50 + 20 + 15), 10 from payer 2 and 5 from a third payer. So the largest
    // payer has a share of 85 of 100.
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
        first,
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
      [makeSetWallet(ONE, first)],
      [makeSetWallet(ONE, second)],
    );
    const volumes = sets.map(({ total }) => total?.volume ?? null);
    expect(volumes).toEqual([930n, null, 855n, 930n]);
  });

  it('exclude the settlements of an uncounted wallet, but treat it as part of the set', async () => {
    const [set] = await readFigures([makeSetWallet(ONE, second), makeSetWallet(ONE, first, false)]);
    expect(set?.wallets.find(({ payTo }) => payTo === first)?.figures).toBeNull();
    expect(set?.total).toMatchObject({ volume: 30n, settlements: 2, payers: 2 });
  });

  it('cover only the measured wallets', async () => {
    const unread = walletAddress(9);
    const [set, none] = await readFigures(
      [makeSetWallet(ONE, second), makeSetWallet(ONE, first), makeSetWallet('eip155:10', unread)],
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
