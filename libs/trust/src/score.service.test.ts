import { expect, test } from 'vitest';
import {
  advertising,
  daysAgo,
  healthy,
  NOW,
  probed,
  untouched,
  verdictOf,
  NO_ENVELOPES,
  type Situation,
} from './testing/fixtures.ts';
import { HOUR_MS } from './window.ts';

/** Situations with the verdict worked out by hand from the published formula: how the service answers, and how much is known of it. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a healthy endpoint': { inputs: healthy(), score: 100, grade: 'A', recommendation: 'proceed', flags: [] },
  'a healthy endpoint whose chain could not be read': {
    inputs: healthy({ settlement: null, networksRead: 0 }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // 30·0.85 + 25 + 15 + 15 + 10 + 5
  'one probe in a hundred missed': {
    inputs: healthy(probed(1_000, 990)),
    score: 95.5,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // 30·0.4 + 70
  'one probe in ten missed': {
    inputs: healthy(probed(1_000, 900)),
    score: 82,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['uptime-low'],
  },
  // 30·0 + 70: down half the time, but up just now
  'up half the time': {
    inputs: healthy(probed(1_000, 500)),
    score: 70,
    grade: 'B',
    recommendation: 'proceed',
    flags: ['uptime-low'],
  },
  'down for an hour': {
    inputs: healthy({ downSince: NOW - HOUR_MS, ...probed(1_000, 998) }),
    score: 98.7,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now'],
  },
  // 30·0.85 + 70, capped at 34 (also by 49: no payable envelope today)
  'down for two days': {
    inputs: healthy({
      downSince: daysAgo(2),
      lastPayableAt: daysAgo(2),
      lastChallengedAt: daysAgo(2),
      ...probed(1_000, 990),
    }),
    score: 34,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['down-now', 'not-payable-now'],
  },
  'healthy, and not probed for three days': {
    inputs: healthy({ now: daysAgo(-3) }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-seen-lately'],
  },
  // A week of passes, then turned away for three weeks: what it is today nobody knows
  'blocked for three weeks after a week that was well': {
    inputs: healthy({
      ...probed(336, 336, { total: 1_344, blocked: 1_008 }),
      lastProbedAt: daysAgo(21),
      lastChallengedAt: daysAgo(21),
      lastPayableAt: daysAgo(21),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-seen-lately', 'blocked'],
  },
  // 30·0.979167 + 70: the one miss may have lasted a minute, nobody looked
  'missed at the last probe, and not probed for three days': {
    inputs: healthy({ now: daysAgo(-3), downSince: NOW, ...probed(1_440, 1_439) }),
    score: 99.4,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now', 'not-seen-lately'],
  },
  // Never up, never challenged: age 10 of the 30 + 10 that were measured, under the caps
  'dead since it was first seen': {
    inputs: healthy({
      ...probed(1_440, 0),
      envelopes: NO_ENVELOPES,
      latency: null,
      settlement: null,
      networksRead: 0,
      everChallenged: false,
      downSince: daysAgo(30),
      lastChallengedAt: null,
      lastPayableAt: null,
    }),
    score: 25,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['down-now', 'not-payable-now', 'uptime-low'],
  },
  'listed a week ago and never probed': {
    inputs: untouched({ firstSeen: daysAgo(7) }),
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence'],
  },
  'always blocked, so never scored': {
    inputs: untouched({
      firstSeen: daysAgo(7),
      ...probed(0, 0, { total: 300, blocked: 300 }),
      ...advertising({}),
    }),
    // Nothing was measured: what a listing names was never asked for
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence', 'blocked'],
  },
  // (30 + 25 + 15 + 0 + 5) of 85
  'first contact, all well': {
    inputs: healthy({
      firstSeen: NOW,
      ...probed(1, 1),
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
  // 25·0.9 + 75
  'warnings in every envelope': {
    inputs: healthy({ envelopes: { ...NO_ENVELOPES, warnings: 1_440 } }),
    score: 97.5,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // 25·0.5 + 75: a client can pay, but the protocol is broken every time
  'errors in every envelope': {
    inputs: healthy({ envelopes: { ...NO_ENVELOPES, errors: 1_440 } }),
    score: 87.5,
    grade: 'A',
    recommendation: 'avoid',
    flags: ['envelope-noncompliant'],
  },
  // 75, capped at 49
  'never payable': {
    inputs: healthy({ envelopes: { ...NO_ENVELOPES, unpayable: 1_440 }, lastPayableAt: null }),
    score: 49,
    grade: 'D',
    recommendation: 'avoid',
    flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
  },
  'payable until the day before yesterday': {
    inputs: healthy({
      envelopes: { ...NO_ENVELOPES, pass: 1_340, unpayable: 100 },
      lastPayableAt: daysAgo(2),
    }),
    score: 49,
    grade: 'D',
    recommendation: 'avoid',
    flags: ['not-payable', 'not-payable-now'],
  },
  // 5·0 + 95
  slow: {
    inputs: healthy({ latency: { p50: 5_000, p95: 10_000, n: 1_440 } }),
    score: 95,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['slow'],
  },
  'delisted, of version 1, without a word': {
    inputs: healthy({ listed: false, description: ' ', ...advertising({ protocolVersion: 1 }) }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['legacy-version', 'delisted', 'no-description'],
  },
  'redirects now and then': {
    inputs: healthy(probed(1_440, 1_440, { redirected: 144 })),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['redirects'],
  },
};

test.each(Object.entries(SITUATIONS))('%s', (_, { inputs, ...expected }) => {
  expect(verdictOf(inputs)).toEqual(expected);
});
