import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import {
  DAY,
  makeSettlement,
  payerAddress,
  makeStep,
  walletAddress,
  openNetwork,
} from '../testing/settlements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('wallets', () => {
  it('of a network are read together, from 30 days before they were known, without those that burn', async () => {
    const { advertise, open, lanes } = openNetwork(database, 'eip155:1');
    expect(await lanes()).toEqual([]);
    await advertise('walletsaaa', [
      walletAddress(1),
      walletAddress(2).toUpperCase().replace('0X', '0x'),
      `0x${'0'.repeat(40)}`,
    ]);
    await advertise('walletsbbb', [
      walletAddress(2),
      'merchant',
      '0x000000000000000000000000000000000000dEaD',
    ]);
    expect(await open(T0 + HOUR)).toEqual({ added: 2, removed: 0 });
    expect(await open(T0 + HOUR)).toEqual({ added: 0, removed: 0 });
    expect(await lanes()).toEqual([
      {
        group: 0,
        revision: 1,
        since: T0 - 30 * DAY,
        cursor: null,
        until: null,
        wallets: [walletAddress(1), walletAddress(2)],
      },
    ]);
  });

  it('that come later catch up in a lane of their own, and are measured when they have', async () => {
    const { advertise, open, lanes, laneOf, record, figuresOf } = openNetwork(database, 'eip155:10');
    await advertise('lateraaaaa', [walletAddress(10)]);
    await open(T0);
    await record(0, makeStep(500, [], { caughtUp: false }));
    await advertise('laterbbbbb', [walletAddress(11)]);
    await open(T0 + HOUR);
    // Until the first lane has caught up there is nothing to catch up with.
    expect((await lanes()).map(({ group }) => group)).toEqual([0]);
    await record(0, makeStep(1_000));
    expect(await laneOf(1)).toMatchObject({ cursor: null, until: 1_000n, wallets: [walletAddress(11)] });

    const now = T0 + 1_010 * 60_000;
    expect((await figuresOf(walletAddress(10), now)).figures).toMatchObject({ volume: 0n, payers: 0 });
    await record(1, makeStep(400, [makeSettlement(100, walletAddress(11))], { caughtUp: false }));
    expect((await figuresOf(walletAddress(11), now)).figures).toBeNull();
    // What lane 1 read beyond lane 0 would be read twice, so it is not taken.
    expect((await record(1, makeStep(1_001))).stale).toBe(true);
    await record(1, makeStep(1_000, [makeSettlement(900, walletAddress(11))]));
    expect(await lanes()).toMatchObject([{ group: 0, wallets: [walletAddress(10), walletAddress(11)] }]);
    expect((await figuresOf(walletAddress(11), now)).figures).toMatchObject({ volume: 20n, settlements: 2 });
  });

  it('do not join on another branch of the chain than the others are on', async () => {
    const { advertise, open, lanes, record } = openNetwork(database, 'eip155:100');
    await advertise('branchaaaa', [walletAddress(20)]);
    await open(T0);
    await record(0, makeStep(1_000));
    await advertise('branchbbbb', [walletAddress(21)]);
    await open(T0);
    const other = makeStep(1_000);
    await record(1, {
      ...other,
      cursor: { ...other.cursor, anchors: [{ number: 1_000n, hash: 'replaced' }] },
    });
    expect(await lanes()).toHaveLength(2);
    await record(1, makeStep(1_000));
    expect(await lanes()).toHaveLength(1);
  });

  it('that are too busy to be read are set aside for a week, not measured, and hold nobody up', async () => {
    const { advertise, open, lanes, record, figuresOf } = openNetwork(database, 'eip155:143');
    await advertise('busyaaaaaa', [walletAddress(70), walletAddress(71)]);
    await open(T0);
    await record(
      0,
      makeStep(100, [makeSettlement(5, walletAddress(70)), makeSettlement(6, walletAddress(71))]),
    );
    await record(0, makeStep(200, [], { tooBusy: [walletAddress(71)] }));
    expect(await lanes()).toMatchObject([{ group: 0, wallets: [walletAddress(70)] }]);
    expect((await figuresOf(walletAddress(70), T0 + HOUR)).figures?.volume).toBe(10n);
    expect((await figuresOf(walletAddress(71), T0 + HOUR)).figures).toBeNull();
    // One that comes now is read, and not where nobody reads.
    await advertise('busybbbbbb', [walletAddress(72)]);
    expect(await open(T0 + HOUR)).toEqual({ added: 1, removed: 0 });
    expect(await lanes()).toMatchObject([{ group: 0 }, { group: 1, wallets: [walletAddress(72)] }]);
    await record(1, makeStep(200));
    await open(T0 + 6 * DAY);
    expect((await lanes()).map(({ wallets }) => wallets)).toEqual([[walletAddress(70), walletAddress(72)]]);
    expect(await open(T0 + 8 * DAY)).toEqual({ added: 1, removed: 1 });
    expect((await lanes())[1]).toMatchObject({ cursor: null, wallets: [walletAddress(71)] });
  });

  it('that nobody advertises any more are let go after a week', async () => {
    const { advertise, open, lanes } = openNetwork(database, 'eip155:137');
    await advertise('letgoaaaaa', [walletAddress(30), walletAddress(31)]);
    await open(T0);
    await advertise('letgoaaaaa', [walletAddress(31)], T0 + DAY);
    expect(await open(T0 + 6 * DAY)).toEqual({ added: 0, removed: 0 });
    expect(await open(T0 + 8 * DAY)).toEqual({ added: 0, removed: 1 });
    expect(await lanes()).toMatchObject([{ wallets: [walletAddress(31)] }]);
  });
});

describe('a step', () => {
  it('is stored once, however often it is sent, and whoever else was there first', async () => {
    const { advertise, open, laneOf, record, figuresOf, daysOf } = openNetwork(database, 'eip155:42161');
    await advertise('onceaaaaaa', [walletAddress(40)]);
    await open(T0);
    const step = makeStep(100, [
      makeSettlement(5, walletAddress(40)),
      makeSettlement(6, walletAddress(40), { kind: 'transfer' }),
    ]);
    const { revision } = await laneOf(0);
    expect(await record(0, step)).toEqual({ recorded: 2, removed: 0, stale: false });
    expect(await record(0, step, revision)).toEqual({
      recorded: 0,
      removed: 0,
      stale: true,
    });
    // Even if the range is read again after the fact.
    expect(await record(0, step)).toMatchObject({ recorded: 0, stale: false });
    const both = await Promise.all([
      record(0, makeStep(200, [makeSettlement(150, walletAddress(40))])),
      record(0, makeStep(200)),
    ]);
    expect(both.map(({ stale }) => stale).sort()).toEqual([false, true]);
    const expected = both[0].stale ? 10n : 20n;
    expect((await figuresOf(walletAddress(40), T0 + 2 * HOUR)).figures?.volume).toBe(expected);
    expect((await daysOf(walletAddress(40))).map(({ volume }) => volume)).toEqual([expected]);
  });

  it('that a wallet was missing from is void', async () => {
    const { advertise, open, laneOf, record } = openNetwork(database, 'eip155:43114');
    await advertise('missingaaa', [walletAddress(50)]);
    await open(T0);
    const { revision } = await laneOf(0);
    await advertise('missingbbb', [walletAddress(51)]);
    await open(T0);
    expect((await record(0, makeStep(100), revision)).stale).toBe(true);
  });

  it('takes back what a re-org replaced, in all lanes, to the last unit', async () => {
    const { advertise, open, lanes, laneOf, record, figuresOf, daysOf } = openNetwork(
      database,
      'eip155:84532',
    );
    await advertise('reorgaaaaa', [walletAddress(60)]);
    await open(T0);
    await record(
      0,
      makeStep(1_000, [
        makeSettlement(10, walletAddress(60)),
        makeSettlement(900, walletAddress(60)),
        makeSettlement(950, walletAddress(60), { payer: payerAddress(2) }),
      ]),
    );
    await advertise('reorgbbbbb', [walletAddress(61)]);
    await open(T0);
    const second = await laneOf(1);
    await record(
      1,
      makeStep(950, [makeSettlement(20, walletAddress(61)), makeSettlement(940, walletAddress(61))], {
        caughtUp: false,
      }),
    );
    const taken = makeStep(899, [], { removedFrom: 900n, caughtUp: false, through: null });
    expect(await record(0, taken)).toEqual({ recorded: 0, removed: 3, stale: false });
    // What was read of the old branch in the meantime is void.
    expect(await record(1, makeStep(899), second.revision + 1)).toMatchObject({ stale: true });
    expect((await lanes()).map(({ cursor }) => cursor?.nextBlock)).toEqual([900n, 900n]);
    expect((await laneOf(1)).cursor?.anchors).toEqual([]);
    const days = await daysOf(walletAddress(60));
    expect(days).toEqual([
      { day: '2026-11-01', volume: 10n, settlements: 1, payers: 1, selfVolume: 0n, selfSettlements: 0 },
    ]);
    await record(0, makeStep(1_000, [makeSettlement(905, walletAddress(60), { amount: 7n })]));
    expect((await figuresOf(walletAddress(60), T0 + DAY)).figures).toMatchObject({
      volume: 17n,
      settlements: 2,
      payers: 1,
    });
  });
});
