import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, openTestDatabase, T0, type TestDatabase } from './testing/fixtures.ts';
import { DAY, paid, payer, stepTo, wallet, world } from './testing/settlements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('wallets', () => {
  it('of a network are read together, from 30 days before they were known, without those that burn', async () => {
    const { advertise, open, lanes } = world(database, 'eip155:1');
    expect(await lanes()).toEqual([]);
    await advertise('walletsaaa', [
      wallet(1),
      wallet(2).toUpperCase().replace('0X', '0x'),
      `0x${'0'.repeat(40)}`,
    ]);
    await advertise('walletsbbb', [wallet(2), 'merchant', '0x000000000000000000000000000000000000dEaD']);
    expect(await open(T0 + HOUR)).toEqual({ added: 2, letGo: 0 });
    expect(await open(T0 + HOUR)).toEqual({ added: 0, letGo: 0 });
    expect(await lanes()).toEqual([
      {
        lane: 0,
        revision: 1,
        since: T0 - 30 * DAY,
        cursor: null,
        until: null,
        wallets: [wallet(1), wallet(2)],
      },
    ]);
  });

  it('that come later catch up in a lane of their own, and are measured when they have', async () => {
    const { advertise, open, lanes, laneOf, record, figuresOf } = world(database, 'eip155:10');
    await advertise('lateraaaaa', [wallet(10)]);
    await open(T0);
    await record(0, stepTo(500, [], { caughtUp: false }));
    await advertise('laterbbbbb', [wallet(11)]);
    await open(T0 + HOUR);
    // Until the first lane has caught up there is nothing to catch up with.
    expect((await lanes()).map(({ lane }) => lane)).toEqual([0]);
    await record(0, stepTo(1_000));
    expect(await laneOf(1)).toMatchObject({ cursor: null, until: 1_000n, wallets: [wallet(11)] });

    const now = T0 + 1_010 * 60_000;
    expect((await figuresOf(wallet(10), now)).figures).toMatchObject({ volume: 0n, payers: 0 });
    await record(1, stepTo(400, [paid(100, wallet(11))], { caughtUp: false }));
    expect((await figuresOf(wallet(11), now)).figures).toBeNull();
    // What lane 1 read beyond lane 0 would be read twice, so it is not taken.
    expect((await record(1, stepTo(1_001))).stale).toBe(true);
    await record(1, stepTo(1_000, [paid(900, wallet(11))]));
    expect(await lanes()).toMatchObject([{ lane: 0, wallets: [wallet(10), wallet(11)] }]);
    expect((await figuresOf(wallet(11), now)).figures).toMatchObject({ volume: 20n, settlements: 2 });
  });

  it('do not join on another branch of the chain than the others are on', async () => {
    const { advertise, open, lanes, record } = world(database, 'eip155:100');
    await advertise('branchaaaa', [wallet(20)]);
    await open(T0);
    await record(0, stepTo(1_000));
    await advertise('branchbbbb', [wallet(21)]);
    await open(T0);
    const other = stepTo(1_000);
    await record(1, {
      ...other,
      cursor: { ...other.cursor, anchors: [{ number: 1_000n, hash: 'replaced' }] },
    });
    expect(await lanes()).toHaveLength(2);
    await record(1, stepTo(1_000));
    expect(await lanes()).toHaveLength(1);
  });

  it('that are too busy to be read are set aside for a week, not measured, and hold nobody up', async () => {
    const { advertise, open, lanes, record, figuresOf } = world(database, 'eip155:143');
    await advertise('busyaaaaaa', [wallet(70), wallet(71)]);
    await open(T0);
    await record(0, stepTo(100, [paid(5, wallet(70)), paid(6, wallet(71))]));
    await record(0, stepTo(200, [], { tooBusy: [wallet(71)] }));
    expect(await lanes()).toMatchObject([{ lane: 0, wallets: [wallet(70)] }]);
    expect((await figuresOf(wallet(70), T0 + HOUR)).figures?.volume).toBe(10n);
    expect((await figuresOf(wallet(71), T0 + HOUR)).figures).toBeNull();
    // One that comes now is read, and not where nobody reads.
    await advertise('busybbbbbb', [wallet(72)]);
    expect(await open(T0 + HOUR)).toEqual({ added: 1, letGo: 0 });
    expect(await lanes()).toMatchObject([{ lane: 0 }, { lane: 1, wallets: [wallet(72)] }]);
    await record(1, stepTo(200));
    await open(T0 + 6 * DAY);
    expect((await lanes()).map(({ wallets }) => wallets)).toEqual([[wallet(70), wallet(72)]]);
    expect(await open(T0 + 8 * DAY)).toEqual({ added: 1, letGo: 1 });
    expect((await lanes())[1]).toMatchObject({ cursor: null, wallets: [wallet(71)] });
  });

  it('that nobody advertises any more are let go after a week', async () => {
    const { advertise, open, lanes } = world(database, 'eip155:137');
    await advertise('letgoaaaaa', [wallet(30), wallet(31)]);
    await open(T0);
    await advertise('letgoaaaaa', [wallet(31)], T0 + DAY);
    expect(await open(T0 + 6 * DAY)).toEqual({ added: 0, letGo: 0 });
    expect(await open(T0 + 8 * DAY)).toEqual({ added: 0, letGo: 1 });
    expect(await lanes()).toMatchObject([{ wallets: [wallet(31)] }]);
  });
});

describe('a step', () => {
  it('is stored once, however often it is sent, and whoever else was there first', async () => {
    const { advertise, open, laneOf, record, figuresOf, daysOf } = world(database, 'eip155:42161');
    await advertise('onceaaaaaa', [wallet(40)]);
    await open(T0);
    const step = stepTo(100, [paid(5, wallet(40)), paid(6, wallet(40), { kind: 'transfer' })]);
    const { revision } = await laneOf(0);
    expect(await record(0, step)).toEqual({ recorded: 2, removed: 0, stale: false });
    expect(await record(0, step, revision)).toEqual({
      recorded: 0,
      removed: 0,
      stale: true,
    });
    // Even if the range is read again after the fact.
    expect(await record(0, step)).toMatchObject({ recorded: 0, stale: false });
    const both = await Promise.all([record(0, stepTo(200, [paid(150, wallet(40))])), record(0, stepTo(200))]);
    expect(both.map(({ stale }) => stale).sort()).toEqual([false, true]);
    const expected = both[0].stale ? 10n : 20n;
    expect((await figuresOf(wallet(40), T0 + 2 * HOUR)).figures?.volume).toBe(expected);
    expect((await daysOf(wallet(40))).map(({ volume }) => volume)).toEqual([expected]);
  });

  it('that a wallet was missing from is void', async () => {
    const { advertise, open, laneOf, record } = world(database, 'eip155:43114');
    await advertise('missingaaa', [wallet(50)]);
    await open(T0);
    const { revision } = await laneOf(0);
    await advertise('missingbbb', [wallet(51)]);
    await open(T0);
    expect((await record(0, stepTo(100), revision)).stale).toBe(true);
  });

  it('takes back what a re-org replaced, in all lanes, to the last unit', async () => {
    const { advertise, open, lanes, laneOf, record, figuresOf, daysOf } = world(database, 'eip155:84532');
    await advertise('reorgaaaaa', [wallet(60)]);
    await open(T0);
    await record(
      0,
      stepTo(1_000, [
        paid(10, wallet(60)),
        paid(900, wallet(60)),
        paid(950, wallet(60), { payer: payer(2) }),
      ]),
    );
    await advertise('reorgbbbbb', [wallet(61)]);
    await open(T0);
    const second = await laneOf(1);
    await record(1, stepTo(950, [paid(20, wallet(61)), paid(940, wallet(61))], { caughtUp: false }));
    const taken = stepTo(899, [], { removedFrom: 900n, caughtUp: false, through: null });
    expect(await record(0, taken)).toEqual({ recorded: 0, removed: 3, stale: false });
    // What was read of the old branch in the meantime is void.
    expect(await record(1, stepTo(899), second.revision + 1)).toMatchObject({ stale: true });
    expect((await lanes()).map(({ cursor }) => cursor?.nextBlock)).toEqual([900n, 900n]);
    expect((await laneOf(1)).cursor?.anchors).toEqual([]);
    const days = await daysOf(wallet(60));
    expect(days).toEqual([
      { day: '2026-11-01', volume: 10n, settlements: 1, payers: 1, selfVolume: 0n, selfSettlements: 0 },
    ]);
    await record(0, stepTo(1_000, [paid(905, wallet(60), { amount: 7n })]));
    expect((await figuresOf(wallet(60), T0 + DAY)).figures).toMatchObject({
      volume: 17n,
      settlements: 2,
      payers: 1,
    });
  });
});
