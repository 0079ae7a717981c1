import { describe, test } from 'vitest';
import { advertising, daysAgo, healthy, NO_ENVELOPES, NOW, probed, untouched } from './testing/fixtures.ts';
import { expectVerdict, type Expected } from './testing/expectation.ts';
import type { ScoreInputs } from './types.ts';

/** A named situation, by its difference from a healthy endpoint of 100 points or from one nobody looked at. */
type Situation = [name: string, inputs: ScoreInputs, expected: Expected];

const FULL: Expected = {
  values: [1, 1, 1, 1, 1, 1],
  score: 100,
  grade: 'A',
  recommendation: 'proceed',
  flags: [],
  caps: [],
};

/** Nothing to charge and nothing to settle: what is left is uptime, age and latency. */
const GIVES_AWAY = {
  everChallenged: false,
  answeredFree: true,
  envelopes: NO_ENVELOPES,
  lastChallengedAt: null,
  lastPayableAt: null,
  latestCompliance: null,
  settlement: null,
  networksRead: 0,
} as const;

/** One probe on the first day of its life. */
const FIRST_CONTACT = {
  firstSeen: NOW,
  ...probed(1, 1),
  envelopes: { ...NO_ENVELOPES, pass: 1 },
  latency: { p50: 180, p95: 180, n: 1 },
  lastChallengedAt: NOW,
  lastPayableAt: NOW,
  settlement: null,
  networksRead: 0,
} as const;

/** Nothing but its age is known, which is no score. */
const UNMEASURED = { values: [null, null, null, null, null, null], score: 0, grade: '?', caps: [] } as const;

const LISTING: Situation[] = [
  ['listed', healthy(), FULL],
  ['delisted: score and grade go on', healthy({ listed: false }), { ...FULL, flags: ['delisted'] }],
  [
    'delisted, and probed to be up 95 times of 100: 30·0.6 + 70',
    healthy({ listed: false, ...probed(1_000, 950) }),
    { ...FULL, values: [0.6, 1, 1, 1, 1, 1], score: 88, flags: ['delisted'] },
  ],
  ['relisted: as if it had never been away', healthy({ listed: true }), FULL],
  [
    // (30 + 25 + 15 + 0 + 5) / 85; confidence 0.8·(1 − e^(−1/240)) = 0.00
    'not in the catalog, adopted on first contact',
    healthy(FIRST_CONTACT),
    {
      ...FULL,
      values: [1, 1, 1, null, 0, 1],
      score: 88.2,
      recommendation: 'caution',
      flags: ['first-contact', 'low-confidence'],
    },
  ],
  [
    // (30 + 0 + 15 + 0 + 5) / 85 = 58.8, capped
    'first contact with one that cannot be paid',
    healthy({
      ...FIRST_CONTACT,
      envelopes: { ...NO_ENVELOPES, unpayable: 1 },
      lastPayableAt: null,
      latestCompliance: 'unpayable',
    }),
    {
      values: [1, 0, 1, null, 0, 1],
      score: 49,
      grade: 'D',
      recommendation: 'avoid',
      flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now', 'first-contact', 'low-confidence'],
      caps: ['not-payable'],
    },
  ],
  [
    // (30 + 0 + 5) / 45
    'first contact with one that gives its data away',
    healthy({ ...FIRST_CONTACT, ...GIVES_AWAY, advertised: null }),
    {
      ...FULL,
      values: [1, null, null, null, 0, 1],
      score: 77.8,
      grade: '?',
      recommendation: 'free',
      flags: ['first-contact', 'low-confidence'],
    },
  ],
];

const GRADES: Situation[] = [
  ['A and proceed', healthy(), FULL],
  [
    // Up 99 of 100: 0.85; 25·0.9; 25.5 + 22.5 + 15 + 0 + 0 + 5
    'B and proceed',
    healthy({
      ...probed(1_000, 990),
      envelopes: { ...NO_ENVELOPES, warnings: 990 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      firstSeen: daysAgo(0),
    }),
    {
      ...FULL,
      values: [0.85, 0.9, 1, 0, 0, 1],
      ...{ score: 68, grade: 'B', flags: ['first-contact', 'no-settlements'] },
    },
  ],
  [
    // 30·0.4 + 25·0.5 + 15 + 15 + 10 + 5 = 69.5
    'B and avoid',
    healthy({ ...probed(1_000, 900), envelopes: { ...NO_ENVELOPES, errors: 900 } }),
    {
      ...FULL,
      values: [0.4, 0.5, 1, 1, 1, 1],
      ...{ score: 69.5, grade: 'B', recommendation: 'avoid' },
      flags: ['envelope-noncompliant', 'uptime-low'],
    },
  ],
  [
    // Half of the volume of 100 dollars, half of 10 payers, each 0.55: 0 + 25 + 15 + 8.25 + 4 + 5
    'C and caution',
    healthy({
      ...probed(1_000, 500),
      settlement: { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0 },
      firstSeen: daysAgo(7),
    }),
    {
      ...FULL,
      values: [0, 1, 1, 0.55, 0.4, 1],
      ...{ score: 57.3, grade: 'C', recommendation: 'caution', flags: ['uptime-low'] },
    },
  ],
  [
    // 12 + 25 + 0 (1 − 3·0.3 − 0.15 is below zero) + 0 + 0 + 0
    'D and caution',
    healthy({
      ...probed(1_000, 900),
      changes: [
        { kind: 'asset_network_change', at: NOW },
        { kind: 'asset_network_change', at: NOW },
        { kind: 'asset_network_change', at: NOW },
        { kind: 'price_change', at: NOW },
      ],
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      latency: { p50: 5_000, p95: 10_000, n: 900 },
      firstSeen: daysAgo(0),
    }),
    {
      values: [0.4, 1, 0, 0, 0, 0],
      ...{ score: 37, grade: 'D', recommendation: 'caution', caps: [] },
      flags: ['first-contact', 'uptime-low', 'slow', 'no-settlements'],
    },
  ],
  [
    // 0 + 12.5 + 15 + 0 + 0 + 5 = 32.5: no flag of severity error, and still to be avoided
    'F and avoid, for the score alone',
    healthy({
      ...probed(1_000, 400),
      envelopes: { ...NO_ENVELOPES, pass: 200, unpayable: 200 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      firstSeen: daysAgo(0),
    }),
    {
      values: [0, 0.5, 1, 0, 0, 1],
      ...{ score: 32.5, grade: 'F', recommendation: 'avoid', caps: [] },
      flags: ['first-contact', 'uptime-low', 'no-settlements'],
    },
  ],
  [
    'a template scored from probes of a filled-in address',
    healthy({ templated: true }),
    { ...FULL, recommendation: 'parameterize' },
  ],
  [
    'a template whose price and payTo vary from item to item',
    healthy({
      templated: true,
      payToSharedWith: 4,
      medianPriceUsd30d: '0.000100',
      changes: [
        { kind: 'price_change', at: daysAgo(1) },
        { kind: 'payto_change', at: daysAgo(1) },
        { kind: 'price_change', at: daysAgo(2) },
        { kind: 'payto_change', at: daysAgo(2) },
      ],
    }),
    { ...FULL, recommendation: 'parameterize' },
  ],
  [
    'a template that is down for a day is avoided like any other',
    healthy({ templated: true, downSince: daysAgo(2) }),
    {
      ...FULL,
      ...{ score: 34, grade: 'F', recommendation: 'avoid', caps: ['down-now'] },
      flags: ['down-now', 'not-payable-now'],
    },
  ],
  [
    'a template with neither scored probes nor advertised requirements',
    untouched({ templated: true, firstSeen: daysAgo(90) }),
    {
      ...UNMEASURED,
      recommendation: 'unverified',
      flags: ['low-confidence', 'template-unresolved'],
    },
  ],
  [
    'a template without scored probes that advertises requirements',
    untouched({ templated: true, firstSeen: daysAgo(90), ...advertising({}) }),
    {
      ...UNMEASURED,
      recommendation: 'parameterize',
      flags: ['low-confidence', 'template-unresolved'],
    },
  ],
  [
    'data for plain requests, and never a challenge: the score is still shown',
    healthy({ ...GIVES_AWAY, advertised: null, ...probed(1_000, 990) }),
    // (25.5 + 10 + 5) / 45
    { ...FULL, values: [0.85, null, null, null, 1, 1], score: 90, grade: '?', recommendation: 'free' },
  ],
  [
    'never probed, whatever its listing names: age alone is no score',
    untouched({ firstSeen: daysAgo(180), ...advertising({}) }),
    { ...UNMEASURED, recommendation: 'unverified', flags: ['low-confidence'] },
  ],
  [
    // 15 + 10 of 25, of 30 days: 0.7; sales alone make no grade
    'never probed, and paid by many: its age counts beside its sales',
    untouched({
      ...{ firstSeen: daysAgo(30), templated: true, networksRead: 1, ...advertising({}) },
      settlement: { volumeUsd30d: 10_000, payers30d: 100, topPayerShare: 0 },
    }),
    {
      values: [null, null, null, 1, 0.7, null],
      ...{ score: 88, grade: '?', recommendation: 'parameterize', caps: [] },
      flags: ['low-confidence', 'template-unresolved'],
    },
  ],
];

describe('states of a listing', () => {
  test.each(LISTING)('%s', (_, inputs, expected) => {
    expectVerdict(inputs, expected);
  });
});

describe('grades and recommendations', () => {
  test.each(GRADES)('%s', (_, inputs, expected) => {
    expectVerdict(inputs, expected);
  });
});
