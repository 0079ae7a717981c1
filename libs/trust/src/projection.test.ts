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

/**
 * Each row has a situation, its score inputs, and the projected score and grade, calculated by hand from the published
 * formula. The maximum points are uptime 30, compliance 25, stability 15, activity 15, age 10 and latency 5.
 */
test.each<[name: string, inputs: ScoreInputs, then: [score: number, grade: string]]>([
  ['a healthy endpoint keeps its score', createHealthyInputs(), [100, 'A']],
  // Uptime gives its full 30 points again, because every projected probe is up.
  ['half of the probes down, and up now', createHealthyInputs(withProbes(1_000, 500)), [100, 'A']],
  // An endpoint that is down sends no challenges, so compliance is unmeasured. The measured components give 45 of 75
  // points, and the score of 60 is capped at 34.
  ['down for an hour', createHealthyInputs({ downSince: NOW - 3_600_000 }), [34, 'F']],
  // Compliance and activity are unmeasured. The measured components give 27.2 of 60 points, and the score of 45.4 is
  // capped at 34.
  [
    'down, one week old and with unread settlements',
    createHealthyInputs({ downSince: NOW, firstSeen: toDaysAgo(7), settlement: null }),
    [34, 'F'],
  ],
  // Without challenges, compliance is not measured. Stability gives 15 points and age gives 7 points: 22 of 75
  // possible points.
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
  // Only uptime and age are measured. They give 0 and 7 of 40 points.
  [
    'down since it was first seen today',
    createUnprobedInputs({ ...withProbes(1, 0), firstSeen: NOW, lastProbedAt: NOW, downSince: NOW }),
    [17.5, 'F'],
  ],
  // Stability gives its full 15 points, because the payTo change is 30 days old and has neither a cost nor a cap.
  ['a payTo change today', createHealthyInputs({ changes: [{ kind: 'payto_change', at: NOW }] }), [100, 'A']],
  ['errors since today', createHealthyInputs({ latestCompliance: 'errors' }), [87.5, 'A']],
  ['warnings since today', createHealthyInputs({ latestCompliance: 'warnings' }), [97.5, 'A']],
  // Compliance gives 0 points. The score of 75 is capped at 49.
  ['not payable since today', createHealthyInputs({ latestCompliance: 'unpayable' }), [49, 'D']],
  [
    'not payable all month, and payable since today',
    createHealthyInputs({ envelopes: { ...NO_ENVELOPES, unpayable: 1_440 }, latestCompliance: 'pass' }),
    [100, 'A'],
  ],
  // If the latest compliance verdict is unknown, the projection repeats the verdicts of the last 30 days. Compliance
  // then gives half of its 25 points.
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
  // The endpoint is up but sends no challenges, so compliance is unmeasured. All other components give their full
  // points, and the score of 100 is capped at 49.
  [
    'no challenge for two days',
    createHealthyInputs({ lastChallengedAt: toDaysAgo(2), lastPayableAt: toDaysAgo(2), answeredFree: true }),
    [49, 'D'],
  ],
  ['a token falsely named USDC', createHealthyInputs(withAdvertised({ falseUsdc: true })), [20, 'F']],
  // After 30 days, age gives 7 of its 10 points. All other components give their full points.
  ['new today', createHealthyInputs({ firstSeen: NOW }), [97, 'A']],
  // A wrong clock can produce times in the future. The projection replaces them with the current time.
  ['down since a future time', createHealthyInputs({ downSince: toDaysAgo(-40) }), [34, 'F']],
  [
    'a change at a future time',
    createHealthyInputs({ changes: [{ kind: 'payto_change', at: toDaysAgo(-40) }] }),
    [100, 'A'],
  ],
  ['first seen at a future time', createHealthyInputs({ firstSeen: toDaysAgo(-10) }), [97, 'A']],
  // The projection keeps settlements and latency, so activity and latency give 0 points.
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
    // Only uptime, age and latency are measured. They give 15 of 45 points. No cap lowers the score of 33.3.
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
