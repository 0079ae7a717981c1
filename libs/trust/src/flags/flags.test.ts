import { describe, expect, test } from 'vitest';
import type { ChangeKind } from '@touchstone/contract';
import { FLAG_CATALOGUE } from './flags.ts';
import { score } from '../score.ts';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withLastChallenge,
  withProbes,
  createChange,
  createLastDay,
} from '../testing/fixtures.ts';
import type { Flag, ScoreInputs } from '../types.ts';

function redirectTo(target: string, otherOrigin: boolean): Partial<ScoreInputs> {
  return withLastChallenge({ redirect: { status: 307, target, otherOrigin } });
}

function findFlag(slug: string, change: Partial<ScoreInputs>): Flag | undefined {
  return score(createHealthyInputs(change)).flags.find((flag) => flag.slug === slug);
}

const NO_PRICE = withAdvertised({ amountUsd: null });
const createChanges = (kind: ChangeKind, ...days: number[]): Pick<ScoreInputs, 'changes'> => ({
  changes: days.map((ago) => createChange(kind, toDaysAgo(ago))),
});

const ALL_RETURNED: Partial<ScoreInputs> = {
  settlement: { volumeUsd30d: 0, returnedUsd30d: 5, payers30d: 0, topPayerShare: null },
  payToSharedOnHost: 12,
};

function withLastDay(envelopes: Partial<ScoreInputs['envelopes']>): Pick<ScoreInputs, 'last24h'> {
  return { last24h: { ...createLastDay(48), envelopes: { ...NO_ENVELOPES, ...envelopes } } };
}

const VARYING: Partial<ScoreInputs> = {
  payToVariation: { changes: 287, since: toDaysAgo(1), lastChangedAt: NOW, before: '0x1', after: '0x2' },
};

type Uptime = readonly [up: number, scored: number];

/** Returns probes with 80 % uptime in 30 days, and with the given uptimes in the last 24 hours and seven days. */
function withUptimes(
  [dayUp, dayScored]: Uptime,
  [up, scored]: Uptime = [80, 100],
): Pick<ScoreInputs, 'last24h' | 'last7d' | 'probes'> {
  return {
    ...withProbes(1_000, 800),
    last24h: { ...createLastDay(dayScored), up: dayUp },
    last7d: { scored, up },
  };
}

/**
 * Each row has a flag, score inputs that raise the flag, and score inputs that do not. In most rows, the first inputs
 * just reach the threshold of the flag, and the second inputs just miss it.
 */
test.each<[string, Partial<ScoreInputs>, Partial<ScoreInputs>]>([
  ['payto-changed-recently', createChanges('payto_change', 7), createChanges('payto_change', 7.001)],
  ['payto-changed', createChanges('payto_change', 7.001), createChanges('payto_change', 7)],
  ['payto-changed', createChanges('payto_change', 30), createChanges('payto_change', 30.001)],
  ['payto-changed', createChanges('payto_change', 9, 20), createChanges('payto_change', 2, 9)],
  ['asset-not-usdc', withAdvertised({ falseUsdc: true }), withAdvertised({ falseUsdc: false })],
  ['not-payable', { lastPayableAt: toDaysAgo(1.001) }, { lastPayableAt: toDaysAgo(1) }],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: null, lastChallengedAt: null }],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: toDaysAgo(3), lastChallengedAt: toDaysAgo(3) }],
  [
    'not-payable',
    { lastPayableAt: toDaysAgo(5), lastChallengedAt: toDaysAgo(4), lastScoredAt: toDaysAgo(3) },
    { lastPayableAt: toDaysAgo(4), lastChallengedAt: toDaysAgo(4), lastScoredAt: toDaysAgo(3) },
  ],
  ['not-payable', { lastPayableAt: null }, { lastPayableAt: null, lastScoredAt: null }],
  ['down-now', { downSince: toDaysAgo(1) }, { downSince: toDaysAgo(0.999) }],
  ['down-now', { downSince: toDaysAgo(1) }, { downSince: toDaysAgo(3), lastScoredAt: toDaysAgo(3) }],
  ['down-now', { downSince: toDaysAgo(1) }, { downSince: toDaysAgo(3), lastScoredAt: null }],
  ['price-spike', { medianPriceUsd30d: '0.001000' }, { medianPriceUsd30d: '0.001001' }],
  // A median below $0.001 counts as $0.001, so prices below $0.01 raise no `price-spike`.
  [
    'price-spike',
    { ...withAdvertised({ amountUsd: '1000.000000' }), medianPriceUsd30d: '0.000000' },
    { ...withAdvertised({ amountUsd: '0.009999' }), medianPriceUsd30d: '0.000000' },
  ],
  [
    'price-spike',
    { ...withAdvertised({ amountUsd: '0.010000' }), medianPriceUsd30d: '0.0000005' },
    { ...withAdvertised({ amountUsd: '0.009999' }), medianPriceUsd30d: '0.000001' },
  ],
  ['price-spike', { medianPriceUsd30d: '0.0009' }, { medianPriceUsd30d: null }],
  ['price-unknown', NO_PRICE, { ...NO_PRICE, templated: true }],
  ['not-payable-now', { lastPayableAt: null }, { lastPayableAt: null, ...withProbes(0, 0) }],
  ['not-payable-now', { lastPayableAt: toDaysAgo(1.001) }, { lastPayableAt: toDaysAgo(1) }],
  [
    'not-payable-now',
    { lastPayableAt: toDaysAgo(4.001), lastScoredAt: toDaysAgo(3) },
    { lastPayableAt: toDaysAgo(4), lastScoredAt: toDaysAgo(3) },
  ],
  ['not-payable-now', { latestCompliance: 'unpayable' }, { latestCompliance: 'errors' }],
  ['not-payable-now', { downSince: NOW }, { downSince: null, latestCompliance: null }],
  // The first endpoint sent no x402 challenge and advertises no payment terms, so it cannot be paid. The second
  // endpoint returns data without payment, so it needs no payment.
  [
    'not-payable-now',
    { everChallenged: false, lastPayableAt: null, advertised: null },
    { everChallenged: false, lastPayableAt: null, advertised: null, answeredFree: true },
  ],
  ['not-seen-lately', { lastScoredAt: toDaysAgo(1.001) }, { lastScoredAt: toDaysAgo(1) }],
  ['not-seen-lately', { lastScoredAt: toDaysAgo(50) }, { lastScoredAt: null }],
  ['envelope-noncompliant', withLastDay({ pass: 4, unpayable: 5 }), withLastDay({ pass: 5, unpayable: 5 })],
  // Errors that do not prevent a payment set no flag, and challenges of earlier days do not count.
  ['envelope-noncompliant', withLastDay({ unpayable: 1 }), withLastDay({ errors: 5 })],
  [
    'envelope-noncompliant',
    withLastDay({ unpayable: 1 }),
    { envelopes: { ...NO_ENVELOPES, unpayable: 1_440 } },
  ],
  ['envelope-formal-errors', withLastDay({ pass: 4, errors: 5 }), withLastDay({ pass: 5, errors: 5 })],
  [
    'envelope-formal-errors',
    withLastDay({ pass: 4, errors: 1, unpayable: 4 }),
    withLastDay({ pass: 5, errors: 1, unpayable: 4 }),
  ],
  // A majority of unpayable challenges raises only `envelope-noncompliant`.
  [
    'envelope-formal-errors',
    withLastDay({ errors: 5, unpayable: 5 }),
    withLastDay({ errors: 4, unpayable: 5 }),
  ],
  ['envelope-formal-errors', withLastDay({ errors: 1 }), withLastDay({})],
  // A new mistake occurs only in the latest challenge.
  ['envelope-formal-errors', { latestCompliance: 'errors' }, { latestCompliance: 'warnings' }],
  [
    'envelope-noncompliant',
    { ...withLastDay({ pass: 46, unpayable: 2 }), latestCompliance: 'unpayable' },
    { ...withLastDay({ pass: 47, unpayable: 1 }), latestCompliance: 'unpayable' },
  ],
  [
    'envelope-noncompliant',
    { ...withLastDay({ pass: 46, unpayable: 2 }), latestCompliance: 'unpayable' },
    { ...withLastDay({ pass: 46, unpayable: 2 }), latestCompliance: 'errors' },
  ],
  [
    'network-changed-recently',
    createChanges('asset_network_change', 14),
    createChanges('asset_network_change', 14.001),
  ],
  ['network-changed-recently', createChanges('asset_network_change', 1), createChanges('payto_change', 1)],
  ['price-varies', createChanges('price_change', 1, 29), createChanges('price_change', 1)],
  ['payto-varies', createChanges('payto_change', 10, 29), createChanges('payto_change', 10)],
  ['payto-varies', VARYING, { ...VARYING, templated: true }],
  ['payto-shared', { payToSharedWith: 1 }, { payToSharedWith: 0 }],
  ['network-unknown', withAdvertised({ networkKnown: false }), { advertised: null }],
  ['first-contact', { firstSeen: toDaysAgo(0.999) }, { firstSeen: toDaysAgo(1) }],
  ['low-confidence', withProbes(80, 80), withProbes(90, 90)],
  ['uptime-low', withProbes(1_000, 949), withProbes(1_000, 950)],
  ['uptime-low', withProbes(20, 18), withProbes(19, 0)],
  // A difference of exactly 10 percentage points does not raise the flag: 80 % compared with 70 %.
  ['uptime-falling', withUptimes([69, 100]), withUptimes([70, 100])],
  ['uptime-falling', withUptimes([8, 8], [69, 100]), withUptimes([8, 8], [70, 100])],
  ['uptime-falling', withUptimes([0, 8]), withUptimes([0, 7])],
  ['uptime-falling', withUptimes([8, 8], [0, 8]), withUptimes([8, 8], [0, 7])],
  ['slow', { latency: { p50: 2_000, p95: 2_000, n: 1 } }, { latency: { p50: 1_999, p95: 4_999, n: 1 } }],
  ['slow', { latency: { p50: 100, p95: 5_000, n: 1 } }, { latency: { p50: 9_000, p95: 9_000, n: 0 } }],
  [
    'no-settlements',
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null } },
    { settlement: null },
  ],
  [
    'no-settlements',
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null, partial: false } },
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null, partial: true } },
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
  [
    'no-settlements',
    { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null } },
    { settlement: { volumeUsd30d: 0, returnedUsd30d: 5, payers30d: 0, topPayerShare: null } },
  ],
  [
    'payments-returned',
    { settlement: { volumeUsd30d: 3.99, returnedUsd30d: 1, payers30d: 9, topPayerShare: 0.2 } },
    { settlement: { volumeUsd30d: 4, returnedUsd30d: 1, payers30d: 9, topPayerShare: 0.2 } },
  ],
  [
    'payments-returned',
    { settlement: { volumeUsd30d: 0, returnedUsd30d: 5, payers30d: 0, topPayerShare: null, partial: true } },
    { settlement: { volumeUsd30d: 4, returnedUsd30d: 1, payers30d: 1, topPayerShare: 1, partial: true } },
  ],
  // Transfers from a wallet that several hosts share may be payments to the sellers of other hosts.
  ['payments-returned', { ...ALL_RETURNED, payToSharedWith: 0 }, { ...ALL_RETURNED, payToSharedWith: 1 }],
  ['legacy-version', withAdvertised({ protocolVersion: 1 }), withAdvertised({ protocolVersion: null })],
  ['delisted', { listed: false }, { listed: true }],
  ['template-unresolved', { templated: true, ...withProbes(0, 0) }, { templated: true }],
  [
    'blocked',
    withProbes(90, 90, { total: 100, blocked: 10 }),
    withProbes(91, 91, { total: 100, blocked: 9 }),
  ],
  ['redirects', withProbes(100, 100, { redirected: 10 }), withProbes(0, 0)],
  // The shares of blocked and redirected probes refer to all probes. 10 of 100 probes raise the flag. 9 of 100 do not,
  // although they are more than 10 % of the 50 scored probes.
  [
    'blocked',
    withProbes(50, 50, { total: 100, blocked: 10 }),
    withProbes(50, 50, { total: 100, blocked: 9 }),
  ],
  [
    'redirects',
    withProbes(50, 50, { total: 100, redirected: 10 }),
    withProbes(50, 50, { total: 100, redirected: 9 }),
  ],
  ['redirects', redirectTo('https://api.example.com/v2/data', false), withLastChallenge({})],
  ['no-description', { description: null }, { description: 'x' }],
  [
    'header-body-mismatch',
    withLastChallenge({ headerBodyMismatch: true }),
    withLastChallenge({ resourceInfoMissing: true }),
  ],
  [
    'missing-resource-info',
    withLastChallenge({ resourceInfoMissing: true }),
    withLastChallenge({ headerBodyMismatch: true }),
  ],
])('raises %s for %o and not for %o', (slug, raising, notRaising) => {
  expect(findFlag(slug, raising)).toMatchObject({ slug });
  expect(findFlag(slug, notRaising)).toBeUndefined();
});

describe('templates', () => {
  const changes = [1, 2, 3].flatMap((ago) => [
    createChange('payto_change', toDaysAgo(ago)),
    createChange('price_change', toDaysAgo(ago)),
  ]);
  const changing = { changes, payToSharedWith: 3, medianPriceUsd30d: '0.000001' };

  test('raise no flag about price or payTo changes', () => {
    expect(score(createHealthyInputs({ ...changing, templated: true })).flags).toEqual([]);
    expect(score(createHealthyInputs(changing)).flags.map(({ slug }) => slug)).toEqual([
      'payto-changed-recently',
      'price-spike',
      'price-varies',
      'payto-varies',
      'payto-shared',
    ]);
  });
});

test.each([
  [
    redirectTo('https://other.example/data', true),
    'caution',
    'The latest payment challenge came from another origin, after a redirect: https://other.example.',
  ],
  [redirectTo('https://api.example.com/v2/data', false), 'proceed', expect.stringContaining('with no error')],
  [
    withProbes(1_000, 1_000, { total: 1_440, redirected: 440 }),
    'proceed',
    expect.stringContaining('with no error'),
  ],
])('a redirect excludes proceed only to another origin (%#)', (change, recommendation, reason) => {
  expect(score(createHealthyInputs(change))).toMatchObject({ recommendation, reasons: [reason] });
});

test('only warnings about payments, their terms, uptime and stale probes exclude proceed', () => {
  // `payto-shared` does not exclude `proceed`, because any provider can raise it for a competitor by advertising the
  // same payTo address.
  const excluding = FLAG_CATALOGUE.filter((flag) => flag.preventsProceed);
  expect(excluding.map(({ slug }) => slug)).toEqual([
    ...['price-varies', 'payto-varies', 'price-unknown', 'not-payable-now', 'network-changed-recently'],
    ...[
      'envelope-formal-errors',
      'network-unknown',
      'header-body-mismatch',
      'delivery-mixed',
      'not-seen-lately',
    ],
    ...['uptime-low', 'uptime-falling', 'payments-returned', 'blocked'],
  ]);
  expect(new Set(excluding.map(({ severity }) => severity))).toEqual(new Set(['warning']));
});
