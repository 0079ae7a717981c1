import { test } from 'vitest';
import { daysAgo, healthy, NOW } from './testing/fixtures.ts';
import { expectVerdict, type Expected } from './testing/expectation.ts';
import { HOUR_MS } from './window.ts';
import type { ScoreInputs } from './types.ts';

const FULL: Expected = {
  values: [1, 1, 1, 1, 1, 1],
  score: 100,
  grade: 'A',
  recommendation: 'proceed',
  flags: [],
  caps: [],
};

/** What nobody watched is held against nobody, and yet no payer is told to proceed. */
const UNPAID: Expected = { ...FULL, recommendation: 'caution', flags: ['not-payable-now'] };

/** The last payable challenge was two days before the last probe, and what lies between was watched or not. */
const WATCHED: [name: string, inputs: ScoreInputs, expected: Expected][] = [
  [
    'not payable for two days, watched all the time',
    healthy({ lastPayableAt: daysAgo(2), watchedSince: daysAgo(20) }),
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
    'payable before a gap, and misses for three hours since',
    healthy({ lastPayableAt: daysAgo(2), lastChallengedAt: daysAgo(2), watchedSince: NOW - 3 * HOUR_MS }),
    UNPAID,
  ],
  [
    'payable before a gap, and not for a whole day since',
    healthy({ lastPayableAt: daysAgo(2), watchedSince: daysAgo(1) }),
    UNPAID,
  ],
  [
    'payable before a gap, and not for more than a day since',
    healthy({ lastPayableAt: daysAgo(2), watchedSince: daysAgo(1) - 1 }),
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
    'never payable, however short the watch',
    healthy({ lastPayableAt: null, watchedSince: NOW }),
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
