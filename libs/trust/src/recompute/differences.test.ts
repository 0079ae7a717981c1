import { describe, expect, it, test } from 'vitest';
import type { TrustReport } from '@touchstone/contract';
import { findReportContradictions } from './differences.ts';
import { recompute } from './recompute.ts';
import { createHealthyInputs, NOW, createChange } from '../testing/fixtures.ts';
import { createLiveFreshness, createSource, FULL_INPUTS, createReport } from '../testing/reports.ts';
import type { ReportFigures } from '../report/scored-source.ts';

type Stats = TrustReport['stats'];
const OTHER = '0x0B2C639c533813f4Aa9D7837CAf62653d097Ff85';
const GOOD = createReport(FULL_INPUTS);

const NOTHING_READ = {
  ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
  ...{ lastSettledAt: null, throughBlock: null },
};
const ROW: NonNullable<ReportFigures['settlement']>['wallets'][number] = {
  payTo: 'a',
  network: 'eip155:8453',
  ...NOTHING_READ,
};

const stats = (change: Partial<Stats>): Partial<TrustReport> => ({ stats: { ...GOOD.stats, ...change } });
const latency = (change: Partial<NonNullable<Stats['latency']>>): Partial<TrustReport> =>
  stats({ latency: GOOD.stats.latency && { ...GOOD.stats.latency, ...change } });
const settlement = (change: Partial<NonNullable<TrustReport['settlement']>>): Partial<TrustReport> => ({
  settlement: GOOD.settlement && { ...GOOD.settlement, ...change },
});
const UNREAD = GOOD.settlement && {
  ...GOOD.settlement,
  ...{
    volumeUsd30d: null,
    returnedUsd30d: null,
    payers30d: null,
    repeatPayers30d: null,
    topPayerShare: null,
  },
};
const changedAt = (at: string): Partial<TrustReport> =>
  stats({
    changes: { ...GOOD.stats.changes, events: [{ kind: 'price_change', at, before: null, after: null }] },
  });

const variedAt = (since: string, lastChangedAt: string): Partial<TrustReport> =>
  stats({
    changes: {
      ...GOOD.stats.changes,
      payToVariation: { changes: 9, since, lastChangedAt, before: '0x1', after: '0x2' },
    },
  });

const last24h = (change: Partial<Stats['last24h']>): Partial<TrustReport> =>
  stats({ last24h: { ...GOOD.stats.last24h, ...change } });
const last7d = (change: Partial<Stats['last7d']>): Partial<TrustReport> =>
  stats({ last7d: { ...GOOD.stats.last7d, ...change } });
const OPTION = GOOD.advertised?.options[0];
const advertised = (change: Partial<NonNullable<TrustReport['advertised']>>): Partial<TrustReport> => ({
  advertised: GOOD.advertised && { ...GOOD.advertised, ...change },
});
const FAILURE: NonNullable<TrustReport['lastFailure']> = {
  ...{ at: '2026-05-20T00:00:00.000Z', since: '2026-05-20T00:00:00.000Z', phase: 'processing' },
  ...{ httpStatus: null, error: 'timeout', detail: 'No response within 10 seconds.', causes30d: {} },
};
const failedAt = (at: string): Partial<TrustReport> => ({
  lastFailure: { ...FAILURE, at, since: '2026-05-01T00:00:00.000Z' },
});

describe('findReportContradictions', () => {
  test.each<[path: string, change: Partial<TrustReport>, computed: unknown]>([
    ['$.stats.up30d', stats({ up30d: 1_441 }), 1_440],
    ['$.stats.scoredProbes30d', stats({ scoredProbes30d: 1_441 }), 1_440],
    ['$.stats.excluded30d', stats({ excluded30d: 1_441 }), 1_440],
    ['$.stats.blocked30d', stats({ blocked30d: 1_441 }), 1_440],
    ['$.stats.redirected30d', stats({ redirected30d: 1_441 }), 1_440],
    ['$.stats.last24h.up', last24h({ up: 49 }), 48],
    ['$.stats.last24h.scored', last24h({ scored: 337 }), 336],
    ['$.stats.last24h.up', { stats: { ...GOOD.stats, last7d: { scored: 336, up: 47 } } }, 47],
    ['$.stats.last24h.warnings', last24h({ warnings: 1 }), 0],
    ['$.stats.answeredFree', last24h({ free: 1 }), true],
    ['$.stats.last7d.up', last7d({ up: 337 }), 336],
    ['$.stats.last7d.scored', last7d({ scored: 1_441 }), 1_440],
    [
      '$.stats.last7d.up',
      stats({ up30d: 330, scoredProbes30d: 1_440, last24h: { ...GOOD.stats.last24h } }),
      330,
    ],
    ['$.lastFailure.at', failedAt('2026-06-01T00:00:00.001Z'), '2026-06-01T00:00:00.000Z'],
    ['$.lastFailure.at', failedAt('2026-05-01T23:59:59.999Z'), '2026-05-02T00:00:00.000Z'],
    [
      '$.lastFailure.since',
      { lastFailure: { ...FAILURE, since: '2026-05-20T00:00:00.001Z' } },
      '2026-05-20T00:00:00.000Z',
    ],
    ['$.lastFailure.causes30d', { lastFailure: { ...FAILURE, causes30d: { timeout: 1 } } }, 0],
    ['$.stats.lastProbedAt', stats({ lastProbedAt: null }), '2026-06-01T00:00:00.000Z'],
    ['$.stats.lastProbedAt', stats({ lastProbedAt: '2026-06-01T00:00:00.001Z' }), '2026-06-01T00:00:00.000Z'],
    [
      '$.lastFailure.at',
      {
        ...stats({ lastProbedAt: '2026-05-31T00:00:00.000Z', lastScoredAt: '2026-05-31T00:00:00.000Z' }),
        freshness: { ...GOOD.freshness, probedAt: '2026-05-31T00:00:00.000Z', ageSeconds: 86_401 },
        ...failedAt('2026-05-31T00:00:00.001Z'),
      },
      '2026-05-31T00:00:00.000Z',
    ],
    ['$.advertised.payTo', advertised({ payTo: OTHER }), GOOD.advertised?.payTo],
    ['$.advertised.asset', advertised({ asset: OTHER }), GOOD.advertised?.asset],
    ['$.advertised.network', advertised({ network: 'eip155:137' }), 'eip155:8453'],
    ['$.advertised.amount', advertised({ amount: '1' }), '10000'],
    // Each value belongs to an option, but no option has all these values.
    [
      '$.advertised.payTo',
      advertised({
        payTo: OTHER,
        options: OPTION ? [OPTION, { ...OPTION, payTo: OTHER, network: 'eip155:137', amount: '1' }] : [],
      }),
      GOOD.advertised?.payTo,
    ],
    ['$.stats.lastProbedAt', stats({ lastProbedAt: '2026-05-31T23:59:59.999Z' }), '2026-06-01T00:00:00.000Z'],
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
    [
      '$.stats.changes.payToVariation.since',
      variedAt('2026-05-01T23:59:59.999Z', '2026-05-30T00:00:00.000Z'),
      '2026-05-02T00:00:00.000Z',
    ],
    [
      '$.stats.changes.payToVariation.lastChangedAt',
      variedAt('2026-05-30T00:00:00.000Z', '2026-05-29T00:00:00.000Z'),
      '2026-05-30T00:00:00.000Z',
    ],
    [
      '$.settlement.topPayerShare',
      settlement({ payers30d: 0, repeatPayers30d: 0, volumeUsd30d: '0.000000' }),
      null,
    ],
    ['$.settlement.topPayerShare', settlement({ topPayerShare: null }), 0],
    [
      '$.settlement.volumeUsd30d',
      settlement({ payers30d: 0, repeatPayers30d: 0, topPayerShare: null }),
      '0.000000',
    ],
    ['$.settlement.repeatPayers30d', settlement({ repeatPayers30d: 38 }), 37],
    ['$.settlement.returnedUsd30d', settlement({ returnedUsd30d: null }), '0.000000'],
    [
      '$.settlement.returnedUsd30d',
      { settlement: UNREAD && { ...UNREAD, partial: null, returnedUsd30d: '0.000000' } },
      null,
    ],
    [
      '$.settlement.returnedUsd30d',
      settlement({
        returnedBy: [
          { address: '0xaa', network: 'eip155:8453', funded: false, returnedUsd30d: '0.600000' },
          { address: '0xbb', network: 'eip155:8453', funded: true, returnedUsd30d: '0.500000' },
        ],
      }),
      '1.100000',
    ],
    ['$.settlement.payers30d', settlement({ payers30d: null, repeatPayers30d: null }), 0],
    ['$.settlement.payers30d', { settlement: UNREAD && { ...UNREAD, partial: null, payers30d: 0 } }, null],
    ['$.settlement.partial', settlement({ partial: null }), false],
    ['$.settlement.partial', { settlement: UNREAD }, null],
    [
      '$.settlement.volumeUsd30d',
      settlement({
        ...{ partial: true, payers30d: 0, repeatPayers30d: 0 },
        ...{ volumeUsd30d: '0.000000', topPayerShare: null },
      }),
      null,
    ],
  ])('finds %s', (path, change, computed) => {
    const report = { ...GOOD, ...change };
    expect(findReportContradictions(report)).toMatchObject([{ path, computed }]);
    const found = recompute(report);
    expect(found.outcome).toBe('differs');
    if (found.outcome !== 'differs') return;
    expect(found.differences).toContainEqual(expect.objectContaining({ path, computed }));
  });

  it('accepts a report without compliance, without a verdict on the latest challenge, or without options', () => {
    for (const change of [
      { compliance: null },
      stats({ latestCompliance: null }),
      advertised({ options: [] }),
    ])
      expect(findReportContradictions({ ...GOOD, ...change })).toEqual([]);
  });

  it('accepts a live probe that is later than the latest stored probe, and one that is earlier', () => {
    const probedAt = (at: number, lastProbedAt: number): TrustReport =>
      createReport(FULL_INPUTS, {
        options: { freshness: createLiveFreshness(at) },
        facts: { lastProbedAt },
      });
    expect(recompute(probedAt(NOW + 900, NOW)).outcome).toBe('agrees');
    expect(recompute(probedAt(NOW, NOW + 900)).outcome).toBe('agrees');
  });

  /**
   * Two wallets whose figures fit the totals of the report (4,200 settlements, 37 payers, 1,234.56 dollars), and a
   * third wallet that was not read.
   */
  const wallet = { ...ROW, volumeUsd30d: 1_000, settlements30d: 4_000, payers30d: 30 };
  const smaller = { ...ROW, payTo: 'b', volumeUsd30d: 234.56, settlements30d: 200, payers30d: 12 };
  const unread = { ...ROW, payTo: 'c', ...NOTHING_READ };
  const atWallets = (...wallets: (typeof ROW)[]): TrustReport => {
    const { facts } = createSource(FULL_INPUTS);
    return createReport(FULL_INPUTS, {
      facts: { settlement: facts.settlement && { ...facts.settlement, wallets } },
    });
  };

  it('returns nothing if the wallets add up to the totals, with payers of several wallets', () => {
    expect(recompute(atWallets(wallet, smaller, unread)).outcome).toBe('agrees');
  });

  it('returns nothing if the wallets add up to what stayed and what was sent back', () => {
    const { facts } = createSource(FULL_INPUTS);
    const inputs = {
      ...FULL_INPUTS,
      settlement: FULL_INPUTS.settlement && { ...FULL_INPUTS.settlement, returnedUsd30d: 100 },
    };
    const wallets = [{ ...wallet, volumeUsd30d: 1_100, payers30d: 39 }, smaller];
    const report = createReport(inputs, {
      facts: { settlement: facts.settlement && { ...facts.settlement, wallets } },
    });
    expect(recompute(report).outcome).toBe('agrees');
  });

  it.each([
    ['$.settlement.volumeUsd30d', { volumeUsd30d: 234.55 }, '1234.550000'],
    ['$.settlement.settlements30d', { settlements30d: 201 }, 4_201],
    // The report states 37 payers in total. Wallets with 30 and 6 payers allow at most 36; a wallet with 38 payers
    // requires at least 38.
    ['$.settlement.payers30d', { payers30d: 6 }, 36],
    ['$.settlement.payers30d', { payers30d: 38 }, 38],
  ])('finds totals that differ from the wallets: %s (%#)', (path, change, computed) => {
    expect(findReportContradictions(atWallets(wallet, { ...smaller, ...change }, unread))).toMatchObject([
      { path, computed },
    ]);
  });

  it('finds contradictions even if the verdict follows from the figures', () => {
    // The formula limits the uptime share to 1, so more `up` than `scored` probes do not change the verdict.
    const inputs = createHealthyInputs();
    const contradictory = createReport({ ...inputs, probes: { ...inputs.probes, up: 2_000 } });
    expect(recompute(contradictory)).toMatchObject({
      outcome: 'differs',
      differences: [{ path: '$.stats.up30d', said: 2_000, computed: 1_440 }],
    });
  });

  it('returns nothing for future times of a wrong clock and for changes before the window', () => {
    const report = createReport(
      createHealthyInputs({
        firstSeen: NOW + 5_000,
        changes: [
          createChange('price_change', NOW + 5_000),
          createChange('payto_change', NOW - 31 * 86_400_000),
        ],
      }),
    );
    expect(recompute(report)).toMatchObject({ outcome: 'agrees' });
    expect(report.stats.changes.events).toEqual([
      { kind: 'price_change', at: '2026-06-01T00:00:00.000Z', before: null, after: null },
    ]);
  });
});
