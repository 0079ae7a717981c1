import { describe, test } from 'vitest';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withProbes,
  createUnprobedInputs,
} from './testing/fixtures.ts';
import { expectVerdict, type Expected } from './testing/expectation.ts';
import type { ScoreInputs } from './types.ts';

/** A named situation, built from a healthy endpoint with 100 points or from an endpoint without probes. */
type Situation = [name: string, inputs: ScoreInputs, expected: Expected];

const FULL: Expected = {
  values: [1, 1, 1, 1, 1, 1],
  score: 100,
  grade: 'A',
  recommendation: 'proceed',
  flags: [],
  caps: [],
};

/** Inputs of a free endpoint, for which only uptime, age and latency are measured. */
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

/** Inputs of an endpoint with one probe, first seen now. */
const FIRST_CONTACT = {
  firstSeen: NOW,
  ...withProbes(1, 1),
  envelopes: { ...NO_ENVELOPES, pass: 1 },
  latency: { p50: 180, p95: 180, n: 1 },
  lastChallengedAt: NOW,
  lastPayableAt: NOW,
  settlement: null,
  networksRead: 0,
} as const;

/** Expected verdict if only the age is known: no score. */
const UNMEASURED = { values: [null, null, null, null, null, null], score: 0, grade: '?', caps: [] } as const;

const LISTING: Situation[] = [
  ['listed', createHealthyInputs(), FULL],
  [
    'delisted: score and grade stay',
    createHealthyInputs({ listed: false }),
    { ...FULL, flags: ['delisted'] },
  ],
  [
    'delisted, with 95 % uptime: 30·0.6 + 70',
    createHealthyInputs({ listed: false, ...withProbes(1_000, 950) }),
    { ...FULL, values: [0.6, 1, 1, 1, 1, 1], score: 88, flags: ['delisted'] },
  ],
  ['relisted: same verdict as before', createHealthyInputs({ listed: true }), FULL],
  [
    // (30 + 25 + 15 + 0 + 5) / 85; confidence 0.8·(1 − e^(−1/240)) = 0.00
    'not in the catalog, adopted by its first probe',
    createHealthyInputs(FIRST_CONTACT),
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
    'first probe of an endpoint that cannot be paid',
    createHealthyInputs({
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
    'first probe of a free endpoint',
    createHealthyInputs({ ...FIRST_CONTACT, ...GIVES_AWAY, advertised: null }),
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
  ['A and proceed', createHealthyInputs(), FULL],
  [
    // Up 99 of 100: 0.85; 25·0.9; 25.5 + 22.5 + 15 + 0 + 0 + 5
    'B and proceed',
    createHealthyInputs({
      ...withProbes(1_000, 990),
      envelopes: { ...NO_ENVELOPES, warnings: 990 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      firstSeen: toDaysAgo(0),
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
    createHealthyInputs({ ...withProbes(1_000, 900), envelopes: { ...NO_ENVELOPES, errors: 900 } }),
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
    createHealthyInputs({
      ...withProbes(1_000, 500),
      settlement: { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0 },
      firstSeen: toDaysAgo(7),
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
    createHealthyInputs({
      ...withProbes(1_000, 900),
      changes: [
        { kind: 'asset_network_change', at: NOW },
        { kind: 'asset_network_change', at: NOW },
        { kind: 'asset_network_change', at: NOW },
        { kind: 'price_change', at: NOW },
      ],
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      latency: { p50: 5_000, p95: 10_000, n: 900 },
      firstSeen: toDaysAgo(0),
    }),
    {
      values: [0.4, 1, 0, 0, 0, 0],
      ...{ score: 37, grade: 'D', recommendation: 'caution', caps: [] },
      flags: ['first-contact', 'uptime-low', 'slow', 'no-settlements'],
    },
  ],
  [
    // 0 + 12.5 + 15 + 0 + 0 + 5 = 32.5: no flag of severity error
    'F and avoid because of the score alone',
    createHealthyInputs({
      ...withProbes(1_000, 400),
      envelopes: { ...NO_ENVELOPES, pass: 200, unpayable: 200 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      firstSeen: toDaysAgo(0),
    }),
    {
      values: [0, 0.5, 1, 0, 0, 1],
      ...{ score: 32.5, grade: 'F', recommendation: 'avoid', caps: [] },
      flags: ['first-contact', 'uptime-low', 'no-settlements'],
    },
  ],
  [
    'a template scored from probes of a filled-in address',
    createHealthyInputs({ templated: true }),
    { ...FULL, recommendation: 'parameterize' },
  ],
  [
    'a template whose price and payTo vary from item to item',
    createHealthyInputs({
      templated: true,
      payToSharedWith: 4,
      medianPriceUsd30d: '0.000100',
      changes: [
        { kind: 'price_change', at: toDaysAgo(1) },
        { kind: 'payto_change', at: toDaysAgo(1) },
        { kind: 'price_change', at: toDaysAgo(2) },
        { kind: 'payto_change', at: toDaysAgo(2) },
      ],
    }),
    { ...FULL, recommendation: 'parameterize' },
  ],
  [
    'a template that is down for two days is avoided like any other endpoint',
    createHealthyInputs({ templated: true, downSince: toDaysAgo(2) }),
    {
      ...FULL,
      ...{ score: 34, grade: 'F', recommendation: 'avoid', caps: ['down-now'] },
      flags: ['down-now', 'not-payable-now'],
    },
  ],
  [
    'a template without scored probes and without advertised terms',
    createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(90) }),
    {
      ...UNMEASURED,
      recommendation: 'unverified',
      flags: ['low-confidence', 'template-unresolved'],
    },
  ],
  [
    'a template without scored probes that advertises terms',
    createUnprobedInputs({ templated: true, firstSeen: toDaysAgo(90), ...withAdvertised({}) }),
    {
      ...UNMEASURED,
      recommendation: 'parameterize',
      flags: ['low-confidence', 'template-unresolved'],
    },
  ],
  [
    'a free endpoint: no grade, but a score',
    createHealthyInputs({ ...GIVES_AWAY, advertised: null, ...withProbes(1_000, 990) }),
    // (25.5 + 10 + 5) / 45
    { ...FULL, values: [0.85, null, null, null, 1, 1], score: 90, grade: '?', recommendation: 'free' },
  ],
  [
    'never probed but listed with terms: age alone gives no score',
    createUnprobedInputs({ firstSeen: toDaysAgo(180), ...withAdvertised({}) }),
    { ...UNMEASURED, recommendation: 'unverified', flags: ['low-confidence'] },
  ],
  [
    // 15 + 10 of 25; 30 days give 0.7; settlements alone give no grade
    'never probed, with many payers: activity and age give a score without a grade',
    createUnprobedInputs({
      ...{ firstSeen: toDaysAgo(30), templated: true, networksRead: 1, ...withAdvertised({}) },
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
