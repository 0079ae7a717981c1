import { describe, expect, test } from 'vitest';
import { barsProceed } from './flags.ts';
import { score } from '../score.ts';
import { advertising, daysAgo, healthy, NO_ENVELOPES, NOW, probed } from '../testing/fixtures.ts';
import type { Flag, ScoreInputs } from '../types.ts';

function raised(slug: string, change: Partial<ScoreInputs>): Flag | undefined {
  return score(healthy(change)).flags.find((flag) => flag.slug === slug);
}

const times = (kind: 'price_change' | 'payto_change', ...days: number[]): Pick<ScoreInputs, 'changes'> => ({
  changes: days.map((ago) => ({ kind, at: daysAgo(ago) })),
});

/** Each flag just beyond its threshold, and just before it. */
test.each<[string, Partial<ScoreInputs>, Partial<ScoreInputs>]>([
  ['payto-changed-recently', times('payto_change', 7), times('payto_change', 7.001)],
  ['asset-not-usdc', advertising({ falseUsdc: true }), advertising({ falseUsdc: false })],
  ['not-payable', { lastPayableAt: daysAgo(1.001) }, { lastPayableAt: daysAgo(1) }],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: null, lastChallengedAt: null }],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: daysAgo(3), lastChallengedAt: daysAgo(3) }],
  [
    'not-payable',
    { lastPayableAt: daysAgo(5), lastChallengedAt: daysAgo(4), lastProbedAt: daysAgo(3) },
    { lastPayableAt: daysAgo(4), lastChallengedAt: daysAgo(4), lastProbedAt: daysAgo(3) },
  ],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: null, lastProbedAt: null }],
  ['down-now', { downSince: daysAgo(1) }, { downSince: daysAgo(0.999) }],
  ['down-now', { downSince: daysAgo(1) }, { downSince: daysAgo(3), lastProbedAt: daysAgo(3) }],
  ['down-now', { downSince: daysAgo(1) }, { downSince: daysAgo(3), lastProbedAt: null }],
  ['price-spike', { medianPriceUsd30d: '0.001000' }, { medianPriceUsd30d: '0.001001' }],
  // A median of less than a tenth of a cent counts as one
  [
    'price-spike',
    { ...advertising({ amountUsd: '1000.000000' }), medianPriceUsd30d: '0.000000' },
    { ...advertising({ amountUsd: '0.009999' }), medianPriceUsd30d: '0.000000' },
  ],
  [
    'price-spike',
    { ...advertising({ amountUsd: '0.010000' }), medianPriceUsd30d: '0.0000005' },
    { ...advertising({ amountUsd: '0.009999' }), medianPriceUsd30d: '0.000001' },
  ],
  ['price-spike', { medianPriceUsd30d: '0.0009' }, { medianPriceUsd30d: null }],
  ['price-unknown', advertising({ amountUsd: null }), advertising({ amountUsd: '0.000000' })],
  ['price-unknown', { templated: true, ...advertising({ amountUsd: null }) }, { advertised: null }],
  ['not-payable-now', { lastPayableAt: null }, { lastPayableAt: null, ...probed(0, 0) }],
  ['not-payable-now', { lastPayableAt: daysAgo(1.001) }, { lastPayableAt: daysAgo(1) }],
  [
    'not-payable-now',
    { lastPayableAt: daysAgo(4.001), lastProbedAt: daysAgo(3) },
    { lastPayableAt: daysAgo(4), lastProbedAt: daysAgo(3) },
  ],
  ['not-payable-now', { latestCompliance: 'unpayable' }, { latestCompliance: 'errors' }],
  ['not-payable-now', { downSince: NOW }, { downSince: null, latestCompliance: null }],
  // Another gate answers, and nothing was ever advertised: it cannot be paid all the same.
  [
    'not-payable-now',
    { everChallenged: false, lastPayableAt: null, advertised: null },
    { everChallenged: false, lastPayableAt: null, advertised: null, answeredFree: true },
  ],
  ['not-seen-lately', { lastProbedAt: daysAgo(1.001) }, { lastProbedAt: daysAgo(1) }],
  ['not-seen-lately', { lastProbedAt: daysAgo(50) }, { lastProbedAt: null }],
  [
    'envelope-noncompliant',
    { envelopes: { ...NO_ENVELOPES, pass: 4, errors: 5 } },
    { envelopes: { ...NO_ENVELOPES, pass: 5, errors: 5 } },
  ],
  ['price-varies', times('price_change', 1, 29), times('price_change', 1)],
  ['payto-varies', times('payto_change', 10, 29), times('payto_change', 10)],
  ['payto-shared', { payToSharedWith: 1 }, { payToSharedWith: 0 }],
  ['network-unknown', advertising({ networkKnown: false }), { advertised: null }],
  ['first-contact', { firstSeen: daysAgo(0.999) }, { firstSeen: daysAgo(1) }],
  ['low-confidence', probed(80, 80), probed(90, 90)],
  ['uptime-low', probed(1_000, 949), probed(1_000, 950)],
  ['slow', { latency: { p50: 2_000, p95: 2_000, n: 1 } }, { latency: { p50: 1_999, p95: 4_999, n: 1 } }],
  ['slow', { latency: { p50: 100, p95: 5_000, n: 1 } }, { latency: { p50: 9_000, p95: 9_000, n: 0 } }],
  [
    'no-settlements',
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 } },
    { settlement: null },
  ],
  [
    'no-settlements',
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0, partial: false } },
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0, partial: true } },
  ],
  [
    'single-payer',
    { settlement: { volumeUsd30d: 5, payers30d: 1, topPayerShare: 1 } },
    { settlement: { volumeUsd30d: 5, payers30d: 1, topPayerShare: 1, partial: true } },
  ],
  [
    'single-payer',
    { settlement: { volumeUsd30d: 5, payers30d: 9, topPayerShare: 0.9 } },
    { settlement: { volumeUsd30d: 5, payers30d: 9, topPayerShare: 0.89 } },
  ],
  ['legacy-version', advertising({ protocolVersion: 1 }), advertising({ protocolVersion: null })],
  ['delisted', { listed: false }, { listed: true }],
  ['template-unresolved', { templated: true, ...probed(0, 0) }, { templated: true }],
  ['blocked', probed(90, 90, { total: 100, blocked: 10 }), probed(91, 91, { total: 100, blocked: 9 })],
  ['redirects', probed(100, 100, { redirected: 10 }), probed(0, 0)],
  // The share is of all probes, not of those that count: 10 of 100, and 9 of 100 of which 50 count
  ['blocked', probed(50, 50, { total: 100, blocked: 10 }), probed(50, 50, { total: 100, blocked: 9 })],
  [
    'redirects',
    probed(50, 50, { total: 100, redirected: 10 }),
    probed(50, 50, { total: 100, redirected: 9 }),
  ],
  ['no-description', { description: null }, { description: 'x' }],
  [
    'header-body-mismatch',
    { lastChallenge: { headerBodyMismatch: true, resourceInfoMissing: false } },
    { lastChallenge: { headerBodyMismatch: false, resourceInfoMissing: true } },
  ],
  [
    'missing-resource-info',
    { lastChallenge: { headerBodyMismatch: false, resourceInfoMissing: true } },
    { lastChallenge: { headerBodyMismatch: true, resourceInfoMissing: false } },
  ],
])('%s is raised at %o and not at %o', (slug, raising, calm) => {
  expect(raised(slug, raising)).toMatchObject({ slug });
  expect(raised(slug, calm)).toBeUndefined();
});

describe('templates', () => {
  const changes = [1, 2, 3].flatMap((ago) => [
    { kind: 'payto_change' as const, at: daysAgo(ago) },
    { kind: 'price_change' as const, at: daysAgo(ago) },
  ]);
  const restless = { changes, payToSharedWith: 3, medianPriceUsd30d: '0.000001' };

  test('raise no flag about price or payTo', () => {
    expect(score(healthy({ ...restless, templated: true })).flags).toEqual([]);
    expect(score(healthy(restless)).flags.map(({ slug }) => slug)).toEqual([
      'payto-changed-recently',
      'price-spike',
      'price-varies',
      'payto-varies',
      'payto-shared',
    ]);
  });

  test('are not capped for a new payTo either', () => {
    expect(score(healthy({ ...restless, templated: true })).caps).toEqual([]);
  });
});

test('what keeps from proceed is said of price, payee and network, of paying at all, and of an old look', () => {
  const barring = [
    'price-varies',
    'payto-varies',
    'price-unknown',
    'not-payable-now',
    'network-unknown',
    'header-body-mismatch',
    'not-seen-lately',
  ];
  expect(barring.every((slug) => barsProceed({ slug }))).toBe(true);
  // Whoever names the payTo of another raises payto-shared on it.
  const others = ['slow', 'delisted', 'no-settlements', 'single-payer', 'payto-shared', 'constructor'];
  expect(others.some((slug) => barsProceed({ slug }))).toBe(false);
});

test('evidence holds what was seen', () => {
  expect(raised('uptime-low', probed(1_000, 900))).toEqual({
    slug: 'uptime-low',
    severity: 'warning',
    message: 'It is often down.',
    evidence: { uptimePercent: 90, probes: 1_000 },
    since: null,
  });
  expect(raised('price-spike', { ...advertising({ amountUsd: '1.000000' }) })?.evidence).toEqual({
    amountUsd: '1.000000',
    medianUsd30d: '0.010000',
  });
  expect(raised('down-now', { downSince: NOW - 50.5 * 3_600_000 })?.evidence).toEqual({ hours: 50 });
  expect(raised('not-payable-now', { downSince: NOW })?.evidence).toEqual({
    downSince: NOW,
    lastPayableAt: daysAgo(0.01),
    latestCompliance: 'pass',
  });
  expect(raised('not-seen-lately', { lastProbedAt: daysAgo(9) })).toMatchObject({
    since: daysAgo(9),
    evidence: { lastProbedAt: daysAgo(9) },
  });
  expect(raised('down-now', { downSince: daysAgo(9), lastProbedAt: daysAgo(7) })?.evidence).toEqual({
    hours: 48,
  });
});
