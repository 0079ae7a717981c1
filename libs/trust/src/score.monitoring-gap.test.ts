import { test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import { toDaysAgo, createHealthyInputs, NOW } from './testing/fixtures.ts';
import { expectVerdict, type Expected } from './testing/expectation.ts';
import type { ScoreInputs } from './types.ts';

const FULL: Expected = {
  values: [1, 1, 1, 1, 1, 1],
  score: 100,
  grade: 'A',
  recommendation: 'proceed',
  flags: [],
  caps: [],
};

/**
 * Expected verdict after a gap in monitoring: the gap does not lower the score, but the recommendation is `caution`.
 */
const UNPAID: Expected = { ...FULL, recommendation: 'caution', flags: ['not-payable-now'] };

/**
 * Test cases: the last payable challenge was two days ago or never. Some have a gap in monitoring after that challenge.
 */
const WATCHED: [name: string, inputs: ScoreInputs, expected: Expected][] = [
  [
    'not payable for two days of monitoring without a gap',
    createHealthyInputs({ lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(20) }),
    {
      ...FULL,
      ...{
        score: 49,
        grade: 'D',
        recommendation: 'avoid',
        flags: ['not-payable', 'not-payable-now'],
        caps: ['not-payable'],
      },
    },
  ],
  [
    'payable before a gap, and not payable for three hours after it',
    createHealthyInputs({
      lastPayableAt: toDaysAgo(2),
      lastChallengedAt: toDaysAgo(2),
      watchedSince: NOW - 3 * HOUR_MS,
    }),
    UNPAID,
  ],
  [
    'payable before a gap, and not payable for exactly 24 hours after it',
    createHealthyInputs({ lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(1) }),
    UNPAID,
  ],
  [
    'payable before a gap, and not payable for more than 24 hours after it',
    createHealthyInputs({ lastPayableAt: toDaysAgo(2), watchedSince: toDaysAgo(1) - 1 }),
    {
      ...FULL,
      ...{
        score: 49,
        grade: 'D',
        recommendation: 'avoid',
        flags: ['not-payable', 'not-payable-now'],
        caps: ['not-payable'],
      },
    },
  ],
  [
    'never payable, with monitoring that just started',
    createHealthyInputs({ lastPayableAt: null, watchedSince: NOW }),
    {
      ...FULL,
      ...{
        score: 49,
        grade: 'D',
        recommendation: 'avoid',
        flags: ['not-payable', 'not-payable-now'],
        caps: ['not-payable'],
      },
    },
  ],
];

test.each(WATCHED)('%s', (_, inputs, expected) => {
  expectVerdict(inputs, expected);
});
