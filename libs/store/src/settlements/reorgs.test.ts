import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { makeSettlement, makeStep, walletAddress, openNetwork } from '../testing/settlements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const NOW = T0 + 4_320 * MINUTE_MS;
const anchor = (block: number) => ({ number: BigInt(block), hash: `h${block}` });

/**
 * Creates a wallet with a payment in block 1. The chain is read in two steps: first up to block 1,000, then up to block
 * 4,300, whose time is 20 minutes before NOW.
 */
async function readTwice(network: string, payTo: string) {
  const one = openNetwork(database, network);
  await one.advertise(`takenback${'abcde'[Number(payTo.at(-1))] ?? ''}`, [payTo]);
  await one.open(T0);
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
    const { record, readFigures } = await readTwice('eip155:1', walletAddress(1));
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
    const { record, readFigures } = await readTwice('eip155:10', walletAddress(2));
    await record(0, makeStep(4_310));
    const step = makeStep(4_318);
    await record(0, { ...step, cursor: { ...step.cursor, anchors: [anchor(4_310), anchor(4_318)] } });
    await record(0, makeReorgStep(4_310));
    const { figures, throughAt } = await readFigures(walletAddress(2), NOW);
    expect(throughAt).toBe(T0 + 4_310 * MINUTE_MS);
    expect(figures?.volume).toBe(10n);
  });

  it('a wallet without valid blocks is not measured, never zero', async () => {
    const { record, readFigures, groups } = await readTwice('eip155:100', walletAddress(3));
    await record(0, makeReorgStep(-1, []));
    expect((await groups())[0]?.cursor).toMatchObject({ nextBlock: 0n, anchors: [] });
    expect(await readFigures(walletAddress(3), T0 + HOUR_MS)).toMatchObject({
      figures: null,
      throughAt: null,
    });
  });

  it('a wallet of another group is not measured either', async () => {
    const { advertise, open, record, readFigures, groups } = await readTwice('eip155:137', walletAddress(4));
    await advertise('takenlater', [walletAddress(5)]);
    await open(T0);
    await record(1, makeStep(2_000, [], { caughtUp: false }));
    // Group 1 reports a re-org back to block 500. The oldest known block hash of group 0 is that of block 1,000, so
    // none of its known blocks is still valid. Both groups are read again from block 501.
    await record(1, makeReorgStep(500, []));
    expect((await groups()).map(({ cursor }) => cursor?.nextBlock)).toEqual([501n, 501n]);
    expect(await readFigures(walletAddress(4), T0 + HOUR_MS)).toMatchObject({
      figures: null,
      throughAt: null,
    });
  });
});
