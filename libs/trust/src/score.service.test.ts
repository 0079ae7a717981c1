import { expect, test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NOW,
  withProbes,
  createLastDay,
  createUnprobedInputs,
  summarizeVerdict,
  NO_ENVELOPES,
  type Situation,
} from './testing/fixtures.ts';

/**
 * Test situations about availability and amount of data, with verdicts calculated by hand from the published formula.
 * In the comments, 30·0.85 points means a component with weight 30 and value 0.85. In the comments, 30·0.85 points
 * means a component with weight 30 and value 0.85.
 */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a healthy endpoint': {
    inputs: createHealthyInputs(),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  'a healthy endpoint whose chain was not read': {
    inputs: createHealthyInputs({ settlement: null, networksRead: 0 }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // Uptime gives 30·0.85 points; the other components give 70.
  'one failed probe in a hundred': {
    inputs: createHealthyInputs(withProbes(1_000, 990)),
    score: 95.5,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // Uptime gives 30·0.4 points; the other components give 70.
  'one failed probe in ten': {
    inputs: createHealthyInputs(withProbes(1_000, 900)),
    score: 82,
    grade: 'A',
    recommendation: 'caution',
    flags: ['uptime-low'],
  },
  // Uptime of 50 % gives 0 points; the other components give 70. The endpoint was up at the last probe.
  'up half the time': {
    inputs: createHealthyInputs(withProbes(1_000, 500)),
    score: 70,
    grade: 'B',
    recommendation: 'caution',
    flags: ['uptime-low'],
  },
  'down for an hour': {
    inputs: createHealthyInputs({ downSince: NOW - HOUR_MS, ...withProbes(1_000, 998) }),
    score: 98.7,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now'],
  },
  // The score of 95.5 is capped at 34. The cap at 49 for endpoints without a payable challenge applies too.
  'down for two days': {
    inputs: createHealthyInputs({
      downSince: toDaysAgo(2),
      lastPayableAt: toDaysAgo(2),
      lastChallengedAt: toDaysAgo(2),
      ...withProbes(1_000, 990),
    }),
    score: 34,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['down-now', 'not-payable-now'],
  },
  'healthy, and not probed for three days': {
    inputs: createHealthyInputs({ now: toDaysAgo(-3) }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-seen-lately'],
  },
  // After three blocked weeks, the current state is unknown, so the recommendation is `caution`.
  'healthy for a week, then blocked for three weeks': {
    inputs: createHealthyInputs({
      ...withProbes(336, 336, { total: 1_344, blocked: 1_008 }),
      lastScoredAt: toDaysAgo(21),
      lastChallengedAt: toDaysAgo(21),
      lastPayableAt: toDaysAgo(21),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-seen-lately', 'blocked'],
  },
  // Uptime gives 30·0.979167 points; the other components give 70. The length of the outage is unknown, so no cap
  // applies.
  'failed at the last probe, and not probed for three days': {
    inputs: createHealthyInputs({ now: toDaysAgo(-3), downSince: NOW, ...withProbes(1_440, 1_439) }),
    score: 99.4,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now', 'not-seen-lately'],
  },
  // Only uptime and age are measured. They give 0 and 10 of 40 points. No cap lowers the score of 25.
  'down since it was first seen': {
    inputs: createHealthyInputs({
      ...withProbes(1_440, 0),
      envelopes: NO_ENVELOPES,
      latency: null,
      settlement: null,
      networksRead: 0,
      everChallenged: false,
      downSince: toDaysAgo(30),
      lastChallengedAt: null,
      lastPayableAt: null,
    }),
    score: 25,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['down-now', 'not-payable-now', 'uptime-low'],
  },
  'listed a week ago and never probed': {
    inputs: createUnprobedInputs({ firstSeen: toDaysAgo(7) }),
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence'],
  },
  'always blocked, so never scored': {
    inputs: createUnprobedInputs({
      firstSeen: toDaysAgo(7),
      ...withProbes(0, 0, { total: 300, blocked: 300 }),
      ...withAdvertised({}),
    }),
    // The payment terms come from a directory listing only, so no component is measured.
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence', 'blocked'],
  },
  // Activity is unmeasured and age gives 0 points. The measured components give 75 of 85 points.
  'healthy at the first probe': {
    inputs: createHealthyInputs({
      firstSeen: NOW,
      ...withProbes(1, 1),
      envelopes: { ...NO_ENVELOPES, pass: 1 },
      latency: { p50: 180, p95: 180, n: 1 },
      lastChallengedAt: NOW,
      lastPayableAt: NOW,
      settlement: null,
      networksRead: 0,
    }),
    score: 88.2,
    grade: 'A',
    recommendation: 'caution',
    flags: ['first-contact', 'low-confidence'],
  },
  // Compliance gives 25·0.9 points; the other components give 75.
  'warnings in every challenge': {
    inputs: createHealthyInputs({ envelopes: { ...NO_ENVELOPES, warnings: 1_440 } }),
    score: 97.5,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // Compliance gives 25·0.5 points; the other components give 75. Every challenge violates the protocol but can be
  // paid.
  'errors in every challenge': {
    inputs: createHealthyInputs({
      envelopes: { ...NO_ENVELOPES, errors: 1_440 },
      last24h: createLastDay(48, 'errors'),
    }),
    score: 87.5,
    grade: 'A',
    recommendation: 'caution',
    flags: ['envelope-nonconforming'],
  },
  // Compliance gives 0 points. The score of 75 is capped at 49.
  'never payable': {
    inputs: createHealthyInputs({
      envelopes: { ...NO_ENVELOPES, unpayable: 1_440 },
      last24h: createLastDay(48, 'unpayable'),
      lastPayableAt: null,
    }),
    score: 49,
    grade: 'D',
    recommendation: 'avoid',
    flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
  },
  'payable until two days ago': {
    inputs: createHealthyInputs({
      envelopes: { ...NO_ENVELOPES, pass: 1_340, unpayable: 100 },
      last24h: createLastDay(48, 'unpayable'),
      lastPayableAt: toDaysAgo(2),
    }),
    score: 49,
    grade: 'D',
    recommendation: 'avoid',
    flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
  },
  // The uptime of 95 % gives 30·0.6 points; the other components give 70. In the last 24 hours, 40 of 48 probes
  // succeeded.
  'uptime that fell in the last 24 hours': {
    inputs: createHealthyInputs({
      ...withProbes(1_000, 950),
      last24h: { ...createLastDay(48), up: 40 },
    }),
    score: 88,
    grade: 'A',
    recommendation: 'caution',
    flags: ['uptime-falling'],
  },
  // Latency gives 0 points; the other components give 95.
  slow: {
    inputs: createHealthyInputs({ latency: { p50: 5_000, p95: 10_000, n: 1_440 } }),
    score: 95,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['slow'],
  },
  'delisted, x402 version 1, without a description': {
    inputs: createHealthyInputs({
      listed: false,
      description: ' ',
      ...withAdvertised({ protocolVersion: 1 }),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['legacy-version', 'delisted', 'no-description'],
  },
  'redirects one probe in ten': {
    inputs: createHealthyInputs(withProbes(1_440, 1_440, { redirected: 144 })),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['redirects'],
  },
};

test.each(Object.entries(SITUATIONS))('%s', (_, { inputs, ...expected }) => {
  expect(summarizeVerdict(inputs)).toEqual(expected);
});
