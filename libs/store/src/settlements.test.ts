import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  openChainLanes,
  pruneSettlements,
  readChainLanes,
  readSettlementFigures,
  readWalletDays,
  recordSettlements,
  saveSnapshots,
  type ChainLane,
  type ChainStep,
} from './index.ts';
import { HOUR, listed, openTestDatabase, snapshotRow, T0, type TestDatabase } from './testing/fixtures.ts';

const DAY = 24 * HOUR;
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const wallet = (n: number): string => `0x${n.toString(16).padStart(40, '1')}`;
const payer = (n: number): string => `0x${n.toString(16).padStart(40, 'a')}`;
type Row = ChainStep['settlements'][number];

let rows = 0;
/** A settlement of block n, which is n minutes after T0. */
function paid(block: number, payTo: string, extra: Partial<Row> = {}): Row {
  rows += 1;
  return {
    transaction: `0x${rows.toString(16).padStart(64, '0')}`,
    logIndex: 1,
    blockNumber: BigInt(block),
    blockHash: `0x${block.toString(16).padStart(64, '0')}`,
    at: T0 + block * 60_000,
    payer: payer(1),
    payTo,
    asset: '0xusdc',
    amount: 10n,
    kind: 'x402',
    facilitator: null,
    ...extra,
  };
}

/** A step that read up to a block. */
function stepTo(block: number, settlements: readonly Row[] = [], extra: Partial<ChainStep> = {}): ChainStep {
  const number = BigInt(block);
  return {
    settlements,
    cursor: { fromBlock: 0n, nextBlock: number + 1n, anchors: [{ number, hash: `h${block}` }], span: 9_000 },
    through: { block: number, at: T0 + block * 60_000 },
    caughtUp: true,
    removedFrom: null,
    ...extra,
  };
}

/** A network of its own in the shared database, where endpoints advertise wallets. */
function world(network: string) {
  const advertise = async (id: string, payTo: readonly string[], at = T0) => {
    await database.discover(network, at, [listed(id)]);
    const row = snapshotRow(id, 80);
    const payOn = payTo.map((to) => ({
      network,
      asset: 'usdc',
      assetSymbol: 'USDC',
      amount: '1',
      amountUsd: '0.000001',
      decimals: 6,
      payTo: to,
      scheme: 'exact',
    }));
    await saveSnapshots(database.db, at, [{ ...row, snapshot: { ...row.snapshot, payOn } }]);
  };
  const open = (now: number) => openChainLanes(database.db, { network, now });
  const lanes = () => readChainLanes(database.db, network);
  const laneOf = async (number: number): Promise<ChainLane> => {
    const lane = (await lanes()).find((one) => one.lane === number);
    if (!lane) throw new Error(`there is no lane ${number}`);
    return lane;
  };
  const record = async (number: number, step: ChainStep, now = T0, revision?: number) => {
    const { lane, revision: current } = await laneOf(number);
    return recordSettlements(database.db, { network, lane, revision: revision ?? current, now }, step);
  };
  const figuresOf = async (payTo: string, now: number) => {
    const [figures] = await readSettlementFigures(database.db, [{ network, payTo }], now);
    if (!figures) throw new Error('no figures');
    return figures;
  };
  const daysOf = (payTo: string) =>
    readWalletDays(database.db, { network, payTo }, { from: T0 - 90 * DAY, to: T0 + 90 * DAY });
  return { network, advertise, open, lanes, laneOf, record, figuresOf, daysOf };
}

describe('wallets', () => {
  it('of a network are read together, from 30 days before they were known, without those that burn', async () => {
    const { advertise, open, lanes } = world('eip155:1');
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
    const { advertise, open, lanes, laneOf, record, figuresOf } = world('eip155:10');
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
    const { advertise, open, lanes, record } = world('eip155:100');
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

  it('that nobody advertises any more are let go after a week', async () => {
    const { advertise, open, lanes } = world('eip155:137');
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
    const { advertise, open, laneOf, record, figuresOf, daysOf } = world('eip155:42161');
    await advertise('onceaaaaaa', [wallet(40)]);
    await open(T0);
    const step = stepTo(100, [paid(5, wallet(40)), paid(6, wallet(40), { kind: 'transfer' })]);
    const { revision } = await laneOf(0);
    expect(await record(0, step)).toEqual({ recorded: 2, removed: 0, wallets: [wallet(40)], stale: false });
    expect(await record(0, step, T0, revision)).toEqual({
      recorded: 0,
      removed: 0,
      wallets: [],
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
    const { advertise, open, laneOf, record } = world('eip155:43114');
    await advertise('missingaaa', [wallet(50)]);
    await open(T0);
    const { revision } = await laneOf(0);
    await advertise('missingbbb', [wallet(51)]);
    await open(T0);
    expect((await record(0, stepTo(100), T0, revision)).stale).toBe(true);
  });

  it('takes back what a re-org replaced, in all lanes, to the last unit', async () => {
    const { advertise, open, lanes, laneOf, record, figuresOf, daysOf } = world('eip155:84532');
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
    expect(await record(0, taken)).toEqual({ recorded: 0, removed: 3, wallets: [], stale: false });
    // What was read of the old branch in the meantime is void.
    expect(await record(1, stepTo(899), T0, second.revision + 1)).toMatchObject({ stale: true });
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

describe('the figures of a wallet', () => {
  const { network, advertise, open, record, figuresOf } = world('eip155:8453');
  const now = T0 + 29 * DAY + HOUR;
  const block = (at: number): number => (at - T0) / 60_000;

  it('count settlements of 30 days, the largest payer among them, and payments to itself apart', async () => {
    await advertise('figuresaaa', [wallet(70)]);
    await open(T0);
    const huge = 2n ** 200n;
    await record(
      0,
      stepTo(block(now), [
        paid(block(T0 - HOUR), wallet(70), { amount: 999n, blockNumber: 0n }),
        paid(block(T0), wallet(70), { amount: 3n * huge }),
        paid(block(T0 + DAY), wallet(70), { amount: huge, payer: payer(2) }),
        paid(block(T0 + 3 * DAY), wallet(70), { amount: 5n, payer: wallet(70) }),
        paid(block(T0 + 4 * DAY), wallet(70), { amount: 5n, kind: 'transfer', payer: payer(3) }),
      ]),
    );
    expect(await figuresOf(wallet(70).toUpperCase().replace('0X', '0x'), now)).toEqual({
      network,
      payTo: wallet(70),
      throughBlock: BigInt(block(now)),
      throughAt: now,
      figures: {
        volume: 4n * huge,
        settlements: 2,
        payers: 2,
        topPayerShare: 0.75,
        lastSettledAt: T0 + DAY,
        self: { volume: 5n, settlements: 1 },
      },
    });
  });

  it('are not measured of a wallet that is unknown, and of a chain that was not read for a day', async () => {
    expect(await figuresOf(wallet(71), now)).toMatchObject({ figures: null, throughBlock: null });
    expect((await figuresOf(wallet(70), now + DAY)).figures).not.toBeNull();
    expect((await figuresOf(wallet(70), now + DAY + 1)).figures).toBeNull();
  });

  it('are nobody else to read, like everything they come from', async () => {
    const anybody = connect({ url: database.url, key: database.keys.publishable });
    for (const table of ['settlements', 'wallet_payer_days', 'chain_wallets', 'chain_cursors'] as const) {
      expect((await anybody.from(table).select('*')).data ?? []).toEqual([]);
    }
    await expect(readSettlementFigures(anybody, [{ network, payTo: wallet(70) }], now)).rejects.toThrow();
  });
});

describe('whatever is paid', () => {
  it('the sums are those of the rows, after any re-orgs', async () => {
    const { network, advertise, open, record, figuresOf } = world('eip155:143');
    await advertise('sumsaaaaaa', [wallet(80), wallet(81)]);
    await open(T0);
    const payment = fc.record({
      payTo: fc.constantFrom(wallet(80), wallet(81)),
      payer: fc.constantFrom(payer(1), payer(2), payer(3), wallet(80)),
      amount: fc.bigInt({ min: 1n, max: 2n ** 128n }),
      kind: fc.constantFrom('x402' as const, 'transfer' as const),
      minutes: fc.integer({ min: 0, max: 999 }),
    });
    const life = fc.array(
      fc.record({
        payments: fc.array(payment, { maxLength: 6 }),
        back: fc.option(fc.integer({ min: 1, max: 2_500 })),
      }),
      { minLength: 1, maxLength: 4 },
    );
    let kept: Row[] = [];
    let head = 0;
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        for (const { payments, back } of steps) {
          if (back !== null && back < head) {
            head -= back;
            kept = kept.filter(({ blockNumber }) => blockNumber <= BigInt(head));
            await record(0, stepTo(head, [], { removedFrom: BigInt(head + 1) }));
          }
          const fresh = payments.map(({ minutes, ...rest }) => paid(head + 1 + minutes, rest.payTo, rest));
          head += 1_000;
          kept.push(...fresh);
          await record(0, stepTo(head, fresh));
        }
        const now = T0 + head * 60_000;
        const from = Date.parse(new Date(now).toISOString().slice(0, 10)) - 29 * DAY;
        for (const payTo of [wallet(80), wallet(81)]) {
          const mine = kept.filter((row) => row.payTo === payTo && row.kind === 'x402' && row.at >= from);
          const others = mine.filter((row) => row.payer !== payTo);
          const volume = others.reduce((sum, { amount }) => sum + amount, 0n);
          // Wallets that were known from T0 on are measured as long as the window begins after their first day.
          expect((await figuresOf(payTo, now)).figures).toMatchObject({
            volume,
            settlements: others.length,
            payers: new Set(others.map((row) => row.payer)).size,
            self: { settlements: mine.length - others.length },
          });
        }
        const { count } = await database.db
          .from('settlements')
          .select('*', { count: 'exact', head: true })
          .eq('network', network);
        expect(count).toBe(kept.length);
      }),
      { numRuns: 25 },
    );
  });

  it('is dropped when it is old, in steps', async () => {
    const count = async () =>
      (await database.db.from('settlements').select('*', { count: 'exact', head: true })).count ?? 0;
    const before = await count();
    const keepFrom = T0 + 2 * DAY;
    const { data } = await database.db.from('settlements').select('at');
    const old = (data ?? []).filter(({ at }) => Date.parse(at) < keepFrom).length;
    expect(old).toBeGreaterThan(3);
    const first = await pruneSettlements(database.db, { keepFrom, limit: 2 });
    expect(first.settlements).toBe(2);
    for (let done = first; done.settlements + done.sums > 0;) {
      done = await pruneSettlements(database.db, { keepFrom, limit: 100 });
    }
    expect(await count()).toBe(before - old);
  });
});
