import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { TrustReport } from '@touchstone/contract';
import { findContradictions } from './contradictions.ts';
import { recompute } from './recompute.ts';
import { createHealthyInputs, NOW } from '../testing/fixtures.ts';
import { anyFacts, createFacts, FULL_INPUTS, createReport } from '../testing/reports.ts';
import { assembleReport, type SettlementFacts } from '../report/assemble-report.ts';
import { anyEndpointHistory, foldEndpointHistory } from '../testing/arbitrary-history.ts';

type Stats = TrustReport['stats'];
const GOOD = createReport(FULL_INPUTS);

const NOTHING_READ = {
  ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
  ...{ lastSettledAt: null, throughBlock: null },
};
const ROW: SettlementFacts['wallets'][number] = { payTo: 'a', network: 'eip155:8453', ...NOTHING_READ };

const stats = (change: Partial<Stats>): Partial<TrustReport> => ({ stats: { ...GOOD.stats, ...change } });
const latency = (change: Partial<NonNullable<Stats['latency']>>): Partial<TrustReport> =>
  stats({ latency: GOOD.stats.latency && { ...GOOD.stats.latency, ...change } });
const settlement = (change: Partial<NonNullable<TrustReport['settlement']>>): Partial<TrustReport> => ({
  settlement: GOOD.settlement && { ...GOOD.settlement, ...change },
});
const UNREAD = GOOD.settlement && {
  ...GOOD.settlement,
  ...{ volumeUsd30d: null, payers30d: null, topPayerShare: null },
};
const changedAt = (at: string): Partial<TrustReport> =>
  stats({ changes: { ...GOOD.stats.changes, events: [{ kind: 'price_change', at }] } });

describe('findContradictions', () => {
  test.each<[path: string, change: Partial<TrustReport>, computed: unknown]>([
    ['$.stats.up', stats({ up: 1_441 }), 1_440],
    ['$.stats.scored', stats({ scored: 1_441 }), 1_440],
    ['$.stats.excluded', stats({ excluded: 1_441 }), 1_440],
    ['$.stats.blocked', stats({ blocked: 1_441 }), 1_440],
    ['$.stats.redirected', stats({ redirected: 1_441 }), 1_440],
    [
      '$.stats.envelopes.checked',
      stats({ envelopes: { ...GOOD.stats.envelopes, checked: 1_441, pass: 1_441 } }),
      1_440,
    ],
    ['$.stats.latency.p50', latency({ p50: 401 }), 400],
    ['$.stats.latency.p95', latency({ p95: 701 }), 700],
    ['$.stats.firstSeen', stats({ firstSeen: '2026-06-01T00:00:00.001Z' }), '2026-06-01T00:00:00.000Z'],
    ['$.stats.changes.events[0].at', changedAt('2026-06-01T00:00:00.001Z'), '2026-06-01T00:00:00.000Z'],
    ['$.stats.changes.events[0].at', changedAt('2026-05-01T23:59:59.999Z'), '2026-05-02T00:00:00.000Z'],
    ['$.settlement.topPayerShare', settlement({ payers30d: 0, volumeUsd30d: '0.000000' }), 0],
    ['$.settlement.volumeUsd30d', settlement({ payers30d: 0, topPayerShare: 0 }), '0.000000'],
    ['$.settlement.payers30d', settlement({ payers30d: null }), 0],
    ['$.settlement.payers30d', settlement({ volumeUsd30d: null, topPayerShare: null, partial: null }), null],
    ['$.settlement.partial', settlement({ partial: null }), false],
    ['$.settlement.partial', { settlement: UNREAD }, null],
    [
      '$.settlement.volumeUsd30d',
      settlement({ partial: true, payers30d: 0, volumeUsd30d: '0.000000', topPayerShare: 0 }),
      null,
    ],
  ])('finds %s', (path, change, computed) => {
    const report = { ...GOOD, ...change };
    expect(findContradictions(report)).toMatchObject([{ path, computed }]);
    const found = recompute(report);
    expect(found.outcome).toBe('differs');
    if (found.outcome !== 'differs') return;
    expect(found.differences).toContainEqual(expect.objectContaining({ path, computed }));
  });

  /**
   * Two wallets whose figures fit the totals of the report (4,200 settlements, 37 payers, 1,234.56 dollars), and a
   * third wallet that was not read.
   */
  const wallet = { ...ROW, volumeUsd30d: 1_000, settlements30d: 4_000, payers30d: 30 };
  const smaller = { ...ROW, payTo: 'b', volumeUsd30d: 234.56, settlements30d: 200, payers30d: 12 };
  const unread = { ...ROW, payTo: 'c', ...NOTHING_READ };
  const atWallets = (...wallets: (typeof ROW)[]): TrustReport => {
    const { settlement: facts } = createFacts(FULL_INPUTS);
    return createReport(FULL_INPUTS, { settlement: facts && { ...facts, wallets } });
  };

  it('returns nothing if the wallets add up to the totals, with payers of several wallets', () => {
    expect(recompute(atWallets(wallet, smaller, unread)).outcome).toBe('agrees');
  });

  it.each([
    ['$.settlement.volumeUsd30d', { volumeUsd30d: 234.55 }, '1234.550000'],
    ['$.settlement.settlements30d', { settlements30d: 201 }, 4_201],
    // The report states 37 payers in total. Wallets with 30 and 6 payers allow at most 36; a wallet with 38 payers
    // requires at least 38.
    ['$.settlement.payers30d', { payers30d: 6 }, 36],
    ['$.settlement.payers30d', { payers30d: 38 }, 38],
  ])('finds totals that differ from the wallets: %s (%#)', (path, change, computed) => {
    expect(findContradictions(atWallets(wallet, { ...smaller, ...change }, unread))).toMatchObject([
      { path, computed },
    ]);
  });

  it('finds contradictions even if the verdict follows from the figures', () => {
    // The formula limits the uptime share to 1, so more `up` than `scored` probes do not change the verdict.
    const inputs = createHealthyInputs();
    const contradictory = createReport({ ...inputs, probes: { ...inputs.probes, up: 2_000 } });
    expect(recompute(contradictory)).toMatchObject({
      outcome: 'differs',
      differences: [{ path: '$.stats.up', said: 2_000, computed: 1_440 }],
    });
  });

  it('returns nothing for consistent reports', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(findContradictions(assembleReport(facts))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(anyEndpointHistory, (history) => {
        expect(findContradictions(createReport(foldEndpointHistory(history)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('returns nothing for future times of a wrong clock and for changes before the window', () => {
    const report = createReport(
      createHealthyInputs({
        firstSeen: NOW + 5_000,
        changes: [
          { kind: 'price_change', at: NOW + 5_000 },
          { kind: 'payto_change', at: NOW - 31 * 86_400_000 },
        ],
      }),
    );
    expect(recompute(report)).toMatchObject({ outcome: 'agrees' });
    expect(report.stats.changes.events).toEqual([{ kind: 'price_change', at: '2026-06-01T00:00:00.000Z' }]);
  });
});
