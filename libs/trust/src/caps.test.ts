import { expect, test } from 'vitest';
import { findCaps, applyCaps } from './caps.ts';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  withProbes,
  createChange,
} from './testing/fixtures.ts';
import type { ScoreInputs } from './types.ts';

test.each<[string, Partial<ScoreInputs>, string[]]>([
  ['a healthy endpoint', {}, []],
  ['an outage of 24 hours', { downSince: toDaysAgo(1) }, ['down-now']],
  [
    'a payTo change seven days ago',
    { changes: [createChange('payto_change', toDaysAgo(7))] },
    ['payto-changed-recently'],
  ],
  [
    'a payTo change in the future, caused by a wrong clock',
    { changes: [createChange('payto_change', toDaysAgo(-1))] },
    ['payto-changed-recently'],
  ],
  ['no payable challenge for more than 24 hours', { lastPayableAt: toDaysAgo(1.01) }, ['not-payable']],
  [
    'no payable challenge ever, for an endpoint that advertises terms',
    { lastPayableAt: null, everChallenged: false },
    ['not-payable'],
  ],
  ['no payable challenge and no scored probe', { lastPayableAt: null, ...withProbes(0, 0) }, []],
  [
    'a payable challenge within the day before the last probe',
    { lastPayableAt: toDaysAgo(4), lastScoredAt: toDaysAgo(3) },
    [],
  ],
  [
    'no payable challenge within the day before the last probe',
    { lastPayableAt: toDaysAgo(4.01), lastScoredAt: toDaysAgo(3) },
    ['not-payable'],
  ],
  [
    'an outage and no payable challenge without a known last probe',
    { downSince: toDaysAgo(3), lastPayableAt: null, lastScoredAt: null },
    [],
  ],
  [
    'no payable challenge, for an endpoint that never charged',
    { lastPayableAt: null, everChallenged: false, advertised: null },
    [],
  ],
  [
    'data without payment, although terms are advertised',
    { lastPayableAt: null, everChallenged: false, answeredFree: true },
    [],
  ],
  [
    'data without payment after earlier challenges',
    { lastPayableAt: toDaysAgo(9), answeredFree: true },
    ['not-payable'],
  ],
  ['a token falsely named USDC', withAdvertised({ falseUsdc: true }), ['asset-not-usdc']],
])('caps for %s', (_, change, expected) => {
  expect(findCaps(createHealthyInputs(change)).map(({ rule }) => rule)).toEqual(expected);
});

test('the smallest cap decides, and a cap never raises the score', () => {
  const caps = findCaps(
    createHealthyInputs({ downSince: toDaysAgo(3), ...withAdvertised({ falseUsdc: true }) }),
  );
  expect(caps.map(({ limit }) => limit)).toEqual([34, 20]);
  expect([applyCaps(90, caps), applyCaps(10, caps), applyCaps(90, [])]).toEqual([20, 10, 90]);
});
