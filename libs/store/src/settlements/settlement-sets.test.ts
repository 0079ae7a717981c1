import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettlementFigures } from '../index.ts';
import { HOUR, openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import {
  makeSettlement,
  payerAddress,
  makeStep,
  walletAddress,
  openNetwork,
} from '../testing/settlements.ts';

/** Wallets of one endpoint on two networks, as one. */
const [ONE, OTHER] = ['eip155:8453', 'eip155:137'];
const [till, second, third, outside] = [
  walletAddress(1),
  walletAddress(2),
  walletAddress(3),
  walletAddress(4),
];
const now = T0 + 2 * HOUR;

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
      // From one till into the other, and from a wallet of another network with the same address.
      makeSettlement(4, second, { amount: 900n, payer: till }),
      makeSettlement(5, till, { amount: 800n, payer: third }),
      makeSettlement(6, till, { amount: 5n, payer: outside }),
    ]),
  );
  await other.record(0, makeStep(60, [makeSettlement(50, third, { amount: 15n, payer: payerAddress(1) })]));
});
afterAll(() => database.close());

const counting = (network: string, payTo: string, isCounted = true) => ({ network, payTo, isCounted });
const figuresOf = async (...sets: Parameters<typeof readSettlementFigures>[1]) =>
  readSettlementFigures(database.db, sets, now);

describe('the figures of a set of wallets', () => {
  it('have one that pays several of them once, and nothing that they paid each other', async () => {
    const [set] = await figuresOf([
      counting(ONE, till),
      counting(ONE, second.toUpperCase().replace('0X', '0x')),
      counting(OTHER, third),
    ]);
    // 50 + 20 + 15 of payer 1, 10 of payer 2, 5 from outside: 85 of 100.
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

  it('are those of each set by itself, in the order in which they were asked for', async () => {
    const sets = await figuresOf([counting(ONE, second)], [], [counting(ONE, till)], [counting(ONE, second)]);
    const volumes = sets.map(({ total }) => total?.volume ?? null);
    expect(volumes).toEqual([930n, null, 855n, 930n]);
  });

  it('leave out a wallet that does not count, but not what it is: one of them', async () => {
    const [set] = await figuresOf([counting(ONE, second), counting(ONE, till, false)]);
    expect(set?.wallets.find(({ payTo }) => payTo === till)?.figures).toBeNull();
    expect(set?.total).toMatchObject({ volume: 30n, settlements: 2, payers: 2 });
  });

  it('are those of the wallets that were measured, where others were not', async () => {
    const unread = walletAddress(9);
    const [set, none] = await figuresOf(
      [counting(ONE, second), counting(ONE, till), counting('eip155:10', unread)],
      [counting(ONE, unread)],
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
