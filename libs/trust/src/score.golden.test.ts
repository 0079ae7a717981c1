import { describe, test } from 'vitest';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withProbes,
  createUnprobedInputs,
  createChange,
  createLastDay,
} from './testing/fixtures.ts';
import { expectVerdict, type Expected } from './testing/expectation.ts';
import type { ScoreInputs } from './types.ts';

/** Test case: name of a situation, its score inputs, and the expected verdict. */
type Situation = [name: string, inputs: ScoreInputs, expected: Expected];

const FULL: Expected = {
  values: [1, 1, 1, 1, 1, 1],
  score: 100,
  grade: 'A',
  recommendation: 'proceed',
  flags: [],
  caps: [],
};

/** Score inputs of a free endpoint, for which only uptime, age and latency are measured. */
const FREE_ENDPOINT = {
  everChallenged: false,
  answeredFree: true,
  envelopes: NO_ENVELOPES,
  lastChallengedAt: null,
  lastPayableAt: null,
  latestCompliance: null,
  settlement: null,
  networksRead: 0,
} as const;

/** Score inputs of an endpoint that was first seen now and probed once. */
const FIRST_CONTACT = {
  firstSeen: NOW,
  ...withProbes(1, 1),
  envelopes: { ...NO_ENVELOPES, pass: 1 },
  last24h: createLastDay(1),
  last7d: { scored: 1, up: 1 },
  latency: { p50: 180, p95: 180, n: 1 },
  lastChallengedAt: NOW,
  lastPayableAt: NOW,
  settlement: null,
  networksRead: 0,
} as const;

/** Expected verdict if only the age of an endpoint is known: no component counts, and the score is 0. */
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
    // Activity is unmeasured and age gives 0 points. The measured components give 75 of 85 points.
    'first probe of a healthy endpoint',
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
    // Activity is unmeasured. The measured components give 50 of 85 points, and the score of 58.8 is capped at 49.
    'first probe of an endpoint that cannot be paid',
    createHealthyInputs({
      ...FIRST_CONTACT,
      envelopes: { ...NO_ENVELOPES, unpayable: 1 },
      last24h: createLastDay(1, 'unpayable'),
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
    // Only uptime, age and latency are measured. They give 35 of 45 points.
    'first probe of a free endpoint',
    createHealthyInputs({ ...FIRST_CONTACT, ...FREE_ENDPOINT, advertised: null }),
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
    // The uptime curve converts 99 % to the value 0.85.
    'B and proceed',
    createHealthyInputs({
      ...withProbes(1_000, 990),
      envelopes: { ...NO_ENVELOPES, warnings: 990 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      firstSeen: toDaysAgo(0),
    }),
    {
      ...FULL,
      values: [0.85, 0.9, 1, 0, 0, 1],
      ...{ score: 68, grade: 'B', flags: ['first-contact', 'no-settlements'] },
    },
  ],
  [
    'B and caution',
    createHealthyInputs({
      ...withProbes(1_000, 900),
      envelopes: { ...NO_ENVELOPES, errors: 900 },
      last24h: createLastDay(48, 'errors'),
    }),
    {
      ...FULL,
      values: [0.4, 0.5, 1, 1, 1, 1],
      ...{ score: 69.5, grade: 'B', recommendation: 'caution' },
      flags: ['envelope-nonconforming', 'uptime-low'],
    },
  ],
  [
    // The volume value of 100 dollars and the payer value of 10 payers are both 0.55, so the activity value is 0.55.
    'C and caution',
    createHealthyInputs({
      ...withProbes(1_000, 500),
      settlement: { volumeUsd30d: 100, payers30d: 10, topPayerShare: null },
      firstSeen: toDaysAgo(7),
    }),
    {
      ...FULL,
      values: [0, 1, 1, 0.55, 0.4, 1],
      ...{ score: 57.3, grade: 'C', recommendation: 'caution', flags: ['uptime-low'] },
    },
  ],
  [
    // The costs of the four changes add up to more than 1, so stability gives 0 points.
    'D and caution',
    createHealthyInputs({
      ...withProbes(1_000, 900),
      changes: [
        createChange('asset_network_change', NOW),
        createChange('asset_network_change', NOW),
        createChange('asset_network_change', NOW),
        createChange('price_change', NOW),
      ],
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      latency: { p50: 5_000, p95: 10_000, n: 900 },
      firstSeen: toDaysAgo(0),
    }),
    {
      values: [0.4, 1, 0, 0, 0, 0],
      ...{ score: 37, grade: 'D', recommendation: 'caution', caps: [] },
      flags: ['network-changed-recently', 'first-contact', 'uptime-low', 'slow', 'no-settlements'],
    },
  ],
  [
    // The endpoint has no flag of severity error.
    'F and avoid because of the score alone',
    createHealthyInputs({
      ...withProbes(1_000, 400),
      envelopes: { ...NO_ENVELOPES, pass: 200, unpayable: 200 },
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      firstSeen: toDaysAgo(0),
    }),
    {
      values: [0, 0.5, 1, 0, 0, 1],
      ...{ score: 32.5, grade: 'F', recommendation: 'avoid', caps: [] },
      flags: ['first-contact', 'uptime-low', 'no-settlements'],
    },
  ],
  [
    'a template scored from probes of a filled-in URL',
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
        createChange('price_change', toDaysAgo(1)),
        createChange('payto_change', toDaysAgo(1)),
        createChange('price_change', toDaysAgo(2)),
        createChange('payto_change', toDaysAgo(2)),
      ],
    }),
    { ...FULL, recommendation: 'parameterize' },
  ],
  [
    'a template that is down for two days: avoid, like any other endpoint',
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
    createHealthyInputs({ ...FREE_ENDPOINT, advertised: null, ...withProbes(1_000, 990) }),
    // Only uptime, age and latency are measured. They give 40.5 of 45 points.
    { ...FULL, values: [0.85, null, null, null, 1, 1], score: 90, grade: '?', recommendation: 'free' },
  ],
  [
    'never probed but listed with terms: age alone gives no score',
    createUnprobedInputs({ firstSeen: toDaysAgo(180), ...withAdvertised({}) }),
    { ...UNMEASURED, recommendation: 'unverified', flags: ['low-confidence'] },
  ],
  [
    // Only activity and age are measured. They give 22 of 25 points. Without a measurement by a probe, there is no
    // grade.
    'never probed, with many payers: activity and age give a score without a grade',
    createUnprobedInputs({
      ...{ firstSeen: toDaysAgo(30), templated: true, networksRead: 1, ...withAdvertised({}) },
      settlement: { volumeUsd30d: 10_000, payers30d: 100, topPayerShare: null },
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
