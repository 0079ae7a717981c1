import { expect, test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import { computeExpectedScore } from './testing/expectation.ts';
import {
  createChange,
  createFailure,
  createHealthyInputs,
  createLastDay,
  createUnprobedInputs,
  NO_ENVELOPES,
  NOW,
  toDaysAgo,
  withAdvertised,
  withProbes,
} from './testing/fixtures.ts';
import { score } from './score.ts';
import type { ScoreInputs } from './types.ts';

/**
 * Name of a situation, its difference from a healthy endpoint, and the verdict, calculated by hand from the published
 * formula. The verdict lists the values of uptime, compliance, stability, activity, age and latency, `–` if unmeasured,
 * and then score, grade, recommendation, [caps] and flags.
 */
type Row = readonly [name: string, change: Partial<ScoreInputs>, verdict: string];

const UNSOLD = { settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null } } as const;

/** Free endpoint, for which only uptime, age and latency are measured. */
const FREE_ENDPOINT = {
  ...{ everChallenged: false, answeredFree: true, envelopes: NO_ENVELOPES, latestCompliance: null },
  ...{ lastChallengedAt: null, lastPayableAt: null, settlement: null, networksRead: 0 },
} as const;

/** Endpoint that was first seen now and probed once. */
const FIRST_CONTACT = {
  ...{ firstSeen: NOW, ...withProbes(1, 1), envelopes: { ...NO_ENVELOPES, pass: 1 } },
  ...{ last24h: createLastDay(1), last7d: { scored: 1, up: 1 }, latency: { p50: 180, p95: 180, n: 1 } },
  ...{ lastChallengedAt: NOW, lastPayableAt: NOW, settlement: null, networksRead: 0 },
} as const;

const SITUATIONS: readonly Row[] = [
  ['a healthy endpoint', {}, '1 1 1 1 1 1 → 100 A proceed'],
  ['one failed probe in ten', withProbes(1_000, 900), '0.4 1 1 1 1 1 → 82 A caution: uptime-low'],
  ['up half the time', withProbes(1_000, 500), '0 1 1 1 1 1 → 70 B caution: uptime-low'],
  [
    'down for an hour',
    { downSince: NOW - HOUR_MS, ...withProbes(1_000, 998) },
    '0.95667 1 1 1 1 1 → 98.7 A caution: not-payable-now',
  ],
  [
    'down for two days',
    {
      downSince: toDaysAgo(2),
      lastPayableAt: toDaysAgo(2),
      lastChallengedAt: toDaysAgo(2),
      ...withProbes(1_000, 990),
    },
    '0.85 1 1 1 1 1 → 34 F avoid [no-payable-challenge down-now]: down-now not-payable-now',
  ],
  [
    'healthy, and not probed for three days',
    { now: toDaysAgo(-3) },
    '1 1 1 1 1 1 → 100 A caution: not-seen-lately',
  ],
  [
    'healthy for a week, then blocked for three weeks',
    {
      ...withProbes(336, 336, { total: 1_344, blocked: 1_008 }),
      lastFailure: createFailure({ since: toDaysAgo(21), error: 'http-429' }),
      ...{ lastScoredAt: toDaysAgo(21), lastChallengedAt: toDaysAgo(21), lastPayableAt: toDaysAgo(21) },
    },
    '1 1 1 1 1 1 → 49 D caution [no-payable-challenge]: not-seen-lately blocked',
  ],
  [
    'failed at the last probe, and not probed for three days',
    { now: toDaysAgo(-3), downSince: NOW, ...withProbes(1_440, 1_439) },
    '0.97917 1 1 1 1 1 → 99.4 A caution: not-payable-now not-seen-lately',
  ],
  [
    'down since it was first seen',
    {
      ...withProbes(1_440, 0),
      envelopes: NO_ENVELOPES,
      latency: null,
      settlement: null,
      networksRead: 0,
      everChallenged: false,
      downSince: toDaysAgo(30),
      lastChallengedAt: null,
      lastPayableAt: null,
    },
    '0 – – – 1 – → 25 F avoid [no-payable-challenge down-now]: down-now not-payable-now uptime-low',
  ],
  [
    'always blocked, so never scored',
    createUnprobedInputs({
      firstSeen: toDaysAgo(7),
      ...withProbes(0, 0, { total: 300, blocked: 300 }),
      ...withAdvertised({}),
    }),
    '– – – – – – → 0 ? unverified [fewer-than-10-probes]: low-confidence blocked',
  ],
  [
    'errors in every challenge',
    { envelopes: { ...NO_ENVELOPES, errors: 1_440 }, last24h: createLastDay(48, 'errors') },
    '1 0.5 1 1 1 1 → 87.5 A caution: envelope-formal-errors',
  ],
  [
    'never payable',
    {
      envelopes: { ...NO_ENVELOPES, unpayable: 1_440 },
      last24h: createLastDay(48, 'unpayable'),
      lastPayableAt: null,
    },
    '1 0 1 1 1 1 → 49 D avoid [no-payable-challenge]: not-payable envelope-noncompliant not-payable-now',
  ],
  [
    'uptime that fell in the last 24 hours',
    { ...withProbes(1_000, 950), last24h: { ...createLastDay(48), up: 40 } },
    '0.6 1 1 1 1 1 → 88 A caution: uptime-falling',
  ],
  [
    'not payable for two days of monitoring without a gap',
    { lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(20) },
    '1 1 1 1 1 1 → 49 D avoid [no-payable-challenge]: not-payable not-payable-now',
  ],
  [
    'payable before a gap, and not payable for three hours after it',
    { lastPayableAt: toDaysAgo(2), lastChallengedAt: toDaysAgo(2), watchedSince: NOW - 3 * HOUR_MS },
    '1 1 1 1 1 1 → 100 A caution: not-payable-now',
  ],
  [
    'payable before a gap, and not payable for exactly 24 hours after it',
    { lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(1) },
    '1 1 1 1 1 1 → 100 A caution: not-payable-now',
  ],
  [
    'payable before a gap, and not payable for more than 24 hours after it',
    { lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(1) - 1 },
    '1 1 1 1 1 1 → 49 D avoid [no-payable-challenge]: not-payable not-payable-now',
  ],
  [
    'payTo changed two days ago',
    { changes: [createChange('payto_change', toDaysAgo(2))] },
    '1 1 0.53333 1 1 1 → 64 C avoid [payto-changed-recently]: payto-changed-recently',
  ],
  [
    'payTo changed more than two weeks ago',
    { changes: [createChange('payto_change', toDaysAgo(15))] },
    '1 1 0.75 1 1 1 → 96.3 A proceed: payto-changed',
  ],
  [
    'a price of ten times its median, changed now',
    { ...withAdvertised({ amountUsd: '0.100000' }), changes: [createChange('price_change', NOW)] },
    '1 1 0.85 1 1 1 → 97.8 A avoid: price-spike',
  ],
  [
    'a network change 15 days ago',
    { changes: [createChange('asset_network_change', toDaysAgo(15))] },
    '1 1 0.85 1 1 1 → 97.8 A proceed',
  ],
  [
    'a template with a network change today',
    { templated: true, changes: [createChange('asset_network_change', toDaysAgo(0))] },
    '1 1 0.7 1 1 1 → 95.5 A parameterize: network-changed-recently',
  ],
  [
    'free, though the directory lists a price',
    {
      everChallenged: false,
      answeredFree: true,
      envelopes: NO_ENVELOPES,
      lastChallengedAt: null,
      lastPayableAt: null,
    },
    '1 – – 1 1 1 → 100 ? free',
  ],
  [
    'a token falsely named USDC',
    withAdvertised({ falseUsdc: true }),
    '1 1 1 1 1 1 → 20 F avoid [asset-not-usdc]: asset-not-usdc',
  ],
  [
    'delisted, with 95 % uptime: 30·0.6 + 70',
    { listed: false, ...withProbes(1_000, 950) },
    '0.6 1 1 1 1 1 → 88 A proceed: delisted',
  ],
  [
    'first probe of a healthy endpoint',
    FIRST_CONTACT,
    '1 1 1 – 0 1 → 64 C caution [fewer-than-10-probes]: first-contact low-confidence',
  ],
  [
    'first probe of a free endpoint',
    { ...FIRST_CONTACT, ...FREE_ENDPOINT, advertised: null },
    '1 – – – 0 1 → 64 ? free [fewer-than-10-probes]: first-contact low-confidence',
  ],
  [
    'B and proceed',
    {
      ...withProbes(1_000, 990),
      envelopes: { ...NO_ENVELOPES, warnings: 990 },
      ...UNSOLD,
      firstSeen: toDaysAgo(0),
    },
    '0.85 0.9 1 0 0 1 → 68 B proceed: first-contact no-settlements',
  ],
  [
    'C and caution',
    {
      ...withProbes(1_000, 500),
      settlement: { volumeUsd30d: 100, payers30d: 10, topPayerShare: null },
      firstSeen: toDaysAgo(7),
    },
    '0 1 1 0.55 0.4 1 → 57.3 C caution: uptime-low',
  ],
  [
    'D and caution',
    {
      ...withProbes(1_000, 900),
      changes: [
        ...[1, 2, 3].map(() => createChange('asset_network_change', NOW)),
        createChange('price_change', NOW),
      ],
      ...UNSOLD,
      latency: { p50: 5_000, p95: 10_000, n: 900 },
      firstSeen: toDaysAgo(0),
    },
    '0.4 1 0 0 0 0 → 37 D caution: network-changed-recently first-contact uptime-low slow no-settlements',
  ],
  [
    'F and avoid because of the score alone',
    {
      ...withProbes(1_000, 400),
      envelopes: { ...NO_ENVELOPES, pass: 200, unpayable: 200 },
      ...UNSOLD,
      firstSeen: toDaysAgo(0),
    },
    '0 0.5 1 0 0 1 → 32.5 F avoid: first-contact uptime-low no-settlements',
  ],
  [
    'a template that is down for two days: avoid, like any other endpoint',
    { templated: true, downSince: toDaysAgo(2) },
    '1 1 1 1 1 1 → 34 F avoid [down-now]: down-now not-payable-now',
  ],
  [
    'a template without scored probes and without advertised terms',
    createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(90) }),
    '– – – – – – → 0 ? unverified [fewer-than-10-probes]: low-confidence template-unresolved',
  ],
  [
    'a template without scored probes that advertises terms',
    createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(90), ...withAdvertised({}) }),
    '– – – – – – → 0 ? parameterize [fewer-than-10-probes]: low-confidence template-unresolved',
  ],
  [
    'a free endpoint: no grade, but a score',
    { ...FREE_ENDPOINT, advertised: null, ...withProbes(1_000, 990) },
    '0.85 – – – 1 1 → 90 ? free',
  ],
  [
    'never probed but listed with terms: age alone gives no score',
    createUnprobedInputs({ firstSeen: toDaysAgo(180), ...withAdvertised({}) }),
    '– – – – – – → 0 ? unverified [fewer-than-10-probes]: low-confidence',
  ],
  [
    'never probed, with many payers: activity and age give a score without a grade',
    createUnprobedInputs({
      ...{ firstSeen: toDaysAgo(30), templated: true, networksRead: 1, ...withAdvertised({}) },
      settlement: { volumeUsd30d: 10_000, payers30d: 100, topPayerShare: null },
    }),
    '– – – 1 0.7 – → 64 ? parameterize [fewer-than-10-probes]: low-confidence template-unresolved',
  ],
];

function formatValue(value: number | null): string {
  return value === null ? '–' : String(Number(value.toFixed(5)));
}

function formatNames(before: string, names: readonly string[], after = ''): string {
  return names.length === 0 ? '' : `${before}${names.join(' ')}${after}`;
}

test.each(SITUATIONS)('%s', (_, change, expected) => {
  const {
    components,
    caps,
    flags,
    grade,
    recommendation,
    score: points,
  } = score(createHealthyInputs(change));
  const values = components.map(({ value }) => value);
  const rules = caps.map(({ rule }) => rule);
  const slugs = flags.map(({ slug }) => slug);
  const verdict = `${String(points)} ${grade} ${recommendation}${formatNames(' [', rules, ']')}${formatNames(': ', slugs)}`;
  expect(`${values.map(formatValue).join(' ')} → ${verdict}`).toBe(expected);
  expect(computeExpectedScore({ values, caps: rules })).toBe(points);
});
