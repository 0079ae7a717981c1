import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSettlementFigures } from '../index.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
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

const database = useTestDatabase();
const NOTHING_RETURNED = { returned: 0n, returnedBy: [], repeatPayers: 0 };
beforeAll(async () => {
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
      ...NOTHING_RETURNED,
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
          ...{
            volume: 15n,
            settlements: 1,
            payers: 1,
            topPayerShare: 1,
            lastSettledAt: T0 + 50 * 60_000,
          },
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

const NOW = T0 + 4_320 * MINUTE_MS;
const anchor = (block: number) => ({ number: BigInt(block), hash: `h${block}` });

/**
 * Creates a wallet with a payment in block 1. The chain is read in two steps: up to block 1,000, then up to block
 * 4,300. Block 4,300 is 20 minutes older than NOW.
 */
async function readTwice(network: string, payTo: string) {
  const one = openNetwork(database, network);
  await one.add(`takenback${'abcde'[Number(payTo.at(-1))] ?? ''}`, [payTo]);
  await one.record(0, makeStep(1_000, [makeSettlement(1, payTo)]));
  const last = makeStep(4_300);
  await one.record(0, { ...last, cursor: { ...last.cursor, anchors: [anchor(1_000), anchor(4_300)] } });
  return one;
}
const makeReorgStep = (block: number, anchors = [anchor(block)]) => {
  const step = makeStep(block, [], { removedFrom: BigInt(block + 1), caughtUp: false, through: null });
  return { ...step, cursor: { ...step.cursor, anchors } };
};

describe('after a re-org, until it is read again', () => {
  it('a wallet is not measured if the valid blocks end more than a day ago', async () => {
    const { record, readFigures } = await readTwice('eip155:2001', walletAddress(1));
    expect((await readFigures(walletAddress(1), NOW)).figures?.volume).toBe(10n);
    await record(0, makeReorgStep(1_000));
    expect(await readFigures(walletAddress(1), NOW)).toMatchObject({
      figures: null,
      throughBlock: 1_000n,
      throughAt: T0 + 1_000 * MINUTE_MS,
    });
    await record(0, makeStep(4_300));
    expect((await readFigures(walletAddress(1), NOW)).figures?.volume).toBe(10n);
  });

  it('a wallet is measured up to the last valid block if that is less than a day ago', async () => {
    const { record, readFigures } = await readTwice('eip155:2010', walletAddress(2));
    await record(0, makeStep(4_310));
    const step = makeStep(4_318);
    await record(0, { ...step, cursor: { ...step.cursor, anchors: [anchor(4_310), anchor(4_318)] } });
    await record(0, makeReorgStep(4_310));
    const { figures, throughAt } = await readFigures(walletAddress(2), NOW);
    expect(throughAt).toBe(T0 + 4_310 * MINUTE_MS);
    expect(figures?.volume).toBe(10n);
  });

  it('a wallet without valid blocks is not measured, never zero', async () => {
    const { record, readFigures, groups } = await readTwice('eip155:2100', walletAddress(3));
    await record(0, makeReorgStep(-1, []));
    expect((await groups())[0]?.cursor).toMatchObject({ nextBlock: 0n, anchors: [] });
    expect(await readFigures(walletAddress(3), T0 + HOUR_MS)).toMatchObject({
      figures: null,
      throughAt: null,
    });
  });

  it('a wallet of another group is not measured', async () => {
    const { add, record, readFigures, groups } = await readTwice('eip155:2137', walletAddress(4));
    await add('takenlater', [walletAddress(5)]);
    await record(1, makeStep(2_000, [], { caughtUp: false }));
    // Group 1 reports a re-org back to block 500. The oldest block hash that group 0 knows belongs to block 1,000, so
    // none of its known blocks is still valid. Both groups are read again from block 501.
    await record(1, makeReorgStep(500, []));
    expect((await groups()).map(({ cursor }) => cursor?.nextBlock)).toEqual([501n, 501n]);
    expect(await readFigures(walletAddress(4), T0 + HOUR_MS)).toMatchObject({
      figures: null,
      throughAt: null,
    });
  });
});
