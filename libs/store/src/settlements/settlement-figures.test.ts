import { DAY_MS, HOUR_MS } from '@touchstone/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pruneSettlements } from '../index.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import {
  makeSettlement,
  payerAddress,
  makeStep,
  walletAddress,
  openNetwork,
  type Row,
} from '../testing/settlements.ts';

const database = useTestDatabase();

describe('the figures of a wallet', () => {
  const network = 'eip155:8453';
  const readFigures = (payTo: string, at: number) => openNetwork(database, network).readFigures(payTo, at);
  const now = T0 + 29 * DAY_MS + HOUR_MS;
  const block = (at: number): number => (at - T0) / 60_000;

  it('have the settlements of 30 days and the largest payer, and self-payments separately', async () => {
    const { add, record } = openNetwork(database, network);
    await add('figuresaaa', [walletAddress(70)]);
    const huge = 2n ** 200n;
    await record(
      0,
      makeStep(block(now), [
        makeSettlement(block(T0 - HOUR_MS), walletAddress(70), { amount: 999n, blockNumber: 0n }),
        makeSettlement(block(T0), walletAddress(70), { amount: 3n * huge }),
        makeSettlement(block(T0 + DAY_MS), walletAddress(70), { amount: huge, payer: payerAddress(2) }),
        makeSettlement(block(T0 + 3 * DAY_MS), walletAddress(70), { amount: 5n, payer: walletAddress(70) }),
        makeSettlement(block(T0 + 4 * DAY_MS), walletAddress(70), {
          amount: 5n,
          kind: 'transfer',
          payer: payerAddress(3),
        }),
      ]),
    );
    expect(await readFigures(walletAddress(70).toUpperCase().replace('0X', '0x'), now)).toEqual({
      network,
      payTo: walletAddress(70),
      throughBlock: BigInt(block(now)),
      throughAt: now,
      figures: {
        volume: 4n * huge,
        settlements: 2,
        payers: 2,
        topPayerShare: 0.75,
        lastSettledAt: T0 + DAY_MS,
        self: { volume: 5n, settlements: 1 },
      },
    });
  });

  it('are null for an unknown wallet, and for a chain that was not read for a day', async () => {
    expect(await readFigures(walletAddress(71), now)).toMatchObject({ figures: null, throughBlock: null });
    expect((await readFigures(walletAddress(70), now + DAY_MS)).figures).not.toBeNull();
    expect((await readFigures(walletAddress(70), now + DAY_MS + 1)).figures).toBeNull();
  });
});

describe('random settlements', () => {
  it('have daily sums equal to their rows, also after re-orgs', async () => {
    const { add, network, record, readFigures } = openNetwork(database, 'eip155:143');
    await add('sumsaaaaaa', [walletAddress(80), walletAddress(81)]);
    const payment = fc.record({
      payTo: fc.constantFrom(walletAddress(80), walletAddress(81)),
      payer: fc.constantFrom(payerAddress(1), payerAddress(2), payerAddress(3), walletAddress(80)),
      amount: fc.bigInt({ min: 1n, max: 2n ** 128n }),
      kind: fc.constantFrom('x402' as const, 'transfer' as const),
      minutes: fc.integer({ min: 0, max: 999 }),
    });
    const history = fc.array(
      fc.record({
        payments: fc.array(payment, { maxLength: 6 }),
        back: fc.option(fc.integer({ min: 1, max: 2_500 })),
      }),
      { minLength: 1, maxLength: 4 },
    );
    let kept: Row[] = [];
    let head = 0;
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        for (const { payments, back } of steps) {
          if (back !== null && back < head) {
            head -= back;
            kept = kept.filter(({ blockNumber }) => blockNumber <= BigInt(head));
            await record(0, makeStep(head, [], { removedFrom: BigInt(head + 1) }));
          }
          const fresh = payments.map(({ minutes, ...rest }) =>
            makeSettlement(head + 1 + minutes, rest.payTo, rest),
          );
          head += 1_000;
          kept.push(...fresh);
          await record(0, makeStep(head, fresh));
        }
        const now = T0 + head * 60_000;
        const from = Date.parse(new Date(now).toISOString().slice(0, 10)) - 29 * DAY_MS;
        for (const payTo of [walletAddress(80), walletAddress(81)]) {
          const mine = kept.filter((row) => row.payTo === payTo && row.kind === 'x402' && row.at >= from);
          const others = mine.filter((row) => row.payer !== payTo);
          const volume = others.reduce((sum, { amount }) => sum + amount, 0n);
          // Both wallets were added at T0, and their settlements are read from 30 days before T0. So their figures are
          // always measured.
          expect((await readFigures(payTo, now)).figures).toMatchObject({
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
      { numRuns: 12 },
    );
  });

  it('are deleted in steps when they are old', async () => {
    // The random histories may contain no old settlement, so this test records one.
    const { add, record } = openNetwork(database, 'eip155:10');
    await add('oldestaaaa', [walletAddress(90)]);
    await record(
      0,
      makeStep(
        4,
        [1, 2, 3, 4].map((block) => makeSettlement(block, walletAddress(90))),
      ),
    );
    const count = async () =>
      (await database.db.from('settlements').select('*', { count: 'exact', head: true })).count ?? 0;
    const before = await count();
    const keepFrom = T0 + 2 * DAY_MS;
    const { data } = await database.db.from('settlements').select('at');
    const old = (data ?? []).filter(({ at }) => Date.parse(at) < keepFrom).length;
    expect(old).toBeGreaterThan(3);
    const first = await pruneSettlements(database.db, { keepFrom, limit: 2 });
    expect(first).toBe(2);
    for (let done = first; done > 0;) {
      done = await pruneSettlements(database.db, { keepFrom, limit: 100 });
    }
    expect(await count()).toBe(before - old);
  });
});
