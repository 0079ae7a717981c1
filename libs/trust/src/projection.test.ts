import { describe, expect, test } from 'vitest';
import { score } from './score.ts';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withProbes,
  createUnprobedInputs,
} from './testing/fixtures.ts';
import type { ScoreInputs, Verdict } from './types.ts';

const IN_30_DAYS = toDaysAgo(-30);

function toProjection(inputs: ScoreInputs): Verdict['projection'] {
  return score(inputs).projection;
}

/** Situations with the projected score, calculated by hand from the published formula. */
test.each<[name: string, inputs: ScoreInputs, then: [score: number, grade: string]]>([
  ['a healthy endpoint keeps its score', createHealthyInputs(), [100, 'A']],
  // 30·1 again, because every projected probe is up
  ['half of the probes down, and up now', createHealthyInputs(withProbes(1_000, 500)), [100, 'A']],
  // 30·0 + 15 + 15 + 10 + 5 of 75 is 60, capped: it sends no challenges, so compliance is not measured
  ['down for an hour', createHealthyInputs({ downSince: NOW - 3_600_000 }), [34, 'F']],
  // 0 + 15 + 10·(0.7 + 0.2·7/60) + 5 of 60 = 45.4, capped
  [
    'down, one week old and with unread settlements',
    createHealthyInputs({ downSince: NOW, firstSeen: toDaysAgo(7), settlement: null }),
    [34, 'F'],
  ],
  // 0 + 15 + 0 + 7 + 0 of 75: compliance is not measured without challenges
  [
    'down, and not payable before',
    createHealthyInputs({
      downSince: NOW,
      firstSeen: NOW,
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      latency: { p50: 5_000, p95: 10_000, n: 1 },
      latestCompliance: 'unpayable',
    }),
    [29.3, 'F'],
  ],
  // 0 of 30 and 10·0.7 of 10
  [
    'down since it was first seen today',
    createUnprobedInputs({ ...withProbes(1, 0), firstSeen: NOW, lastProbedAt: NOW, downSince: NOW }),
    [17.5, 'F'],
  ],
  // 85 + 15: the change has no cost and no cap after 30 days
  ['a payTo change today', createHealthyInputs({ changes: [{ kind: 'payto_change', at: NOW }] }), [100, 'A']],
  ['errors since today', createHealthyInputs({ latestCompliance: 'errors' }), [87.5, 'A']],
  ['warnings since today', createHealthyInputs({ latestCompliance: 'warnings' }), [97.5, 'A']],
  // 75, capped
  ['not payable since today', createHealthyInputs({ latestCompliance: 'unpayable' }), [49, 'D']],
  [
    'not payable all month, and payable since today',
    createHealthyInputs({ envelopes: { ...NO_ENVELOPES, unpayable: 1_440 }, latestCompliance: 'pass' }),
    [100, 'A'],
  ],
  // The verdicts of this month continue if the latest is unknown: half of 25 is lost
  [
    'half of the challenges unpayable, latest verdict unknown',
    createHealthyInputs({ envelopes: { ...NO_ENVELOPES, pass: 10, unpayable: 10 }, latestCompliance: null }),
    [87.5, 'A'],
  ],
  [
    'no payable challenge for two days, latest verdict unknown',
    createHealthyInputs({ lastPayableAt: toDaysAgo(2), latestCompliance: null }),
    [49, 'D'],
  ],
  // Up, but without challenges: 30 + 15 + 15 + 10 + 5 of 75, capped
  [
    'no challenge for two days',
    createHealthyInputs({ lastChallengedAt: toDaysAgo(2), lastPayableAt: toDaysAgo(2), answeredFree: true }),
    [49, 'D'],
  ],
  ['a token falsely named USDC', createHealthyInputs(withAdvertised({ falseUsdc: true })), [20, 'F']],
  // First seen today: 30 + 25 + 15 + 15 + 10·0.7 + 5
  ['new today', createHealthyInputs({ firstSeen: NOW }), [97, 'A']],
  // Times in the future, caused by a wrong clock, are limited to now
  ['down since a future time', createHealthyInputs({ downSince: toDaysAgo(-40) }), [34, 'F']],
  [
    'a change at a future time',
    createHealthyInputs({ changes: [{ kind: 'payto_change', at: toDaysAgo(-40) }] }),
    [100, 'A'],
  ],
  ['first seen at a future time', createHealthyInputs({ firstSeen: toDaysAgo(-10) }), [97, 'A']],
  // Settlements and latency stay: 30 + 25 + 15 + 0 + 10 + 0
  [
    'slow and without sales',
    createHealthyInputs({
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      latency: { p50: 5_000, p95: 10_000, n: 1 },
    }),
    [80, 'A'],
  ],
])('projects %s', (_, inputs, [points, grade]) => {
  expect(toProjection(inputs)).toEqual({ at: IN_30_DAYS, score: points, grade });
});

describe('a free endpoint', () => {
  const free = createHealthyInputs({
    everChallenged: false,
    answeredFree: true,
    envelopes: NO_ENVELOPES,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    settlement: null,
  });

  test('has no projected grade', () => {
    expect(toProjection(free)).toEqual({ at: IN_30_DAYS, score: 100, grade: '?' });
  });

  test('is projected as down and no longer free if it is down now', () => {
    // 0 + 10 + 5 of 45 is 33.3, under both caps
    expect(toProjection({ ...free, downSince: NOW })).toEqual({ at: IN_30_DAYS, score: 33.3, grade: 'F' });
  });
});

test('there is no projection without a scored probe', () => {
  expect(toProjection(createUnprobedInputs())).toBeNull();
  expect(toProjection(createUnprobedInputs(withAdvertised({})))).toBeNull();
  expect(toProjection(createUnprobedInputs(withProbes(0, 0, { total: 300, blocked: 300 })))).toBeNull();
});

test('there is no projection if the last scored probe is more than 24 hours old', () => {
  expect(toProjection(createHealthyInputs({ lastProbedAt: toDaysAgo(1.001) }))).toBeNull();
  expect(toProjection(createHealthyInputs({ lastProbedAt: toDaysAgo(1) }))).toEqual({
    at: IN_30_DAYS,
    score: 100,
    grade: 'A',
  });
});

test('the projection of a perfect month equals the score', () => {
  const { projection } = score(
    createHealthyInputs({ now: NOW, watchedSince: toDaysAgo(0.1), lastPayableAt: NOW }),
  );
  expect(projection).toEqual({ at: IN_30_DAYS, score: 100, grade: 'A' });
});
