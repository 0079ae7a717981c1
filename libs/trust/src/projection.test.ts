import { describe, expect, test } from 'vitest';
import { score } from './score.ts';
import { advertising, daysAgo, healthy, NO_ENVELOPES, NOW, probed, untouched } from './testing/fixtures.ts';
import type { ScoreInputs, Verdict } from './types.ts';

const IN_30_DAYS = daysAgo(-30);

function projectionOf(inputs: ScoreInputs): Verdict['projection'] {
  return score(inputs).projection;
}

/** Situations with the score of 30 days from now, worked out by hand from the published formula. */
test.each<[name: string, inputs: ScoreInputs, then: [score: number, grade: string]]>([
  ['a healthy endpoint stays what it is', healthy(), [100, 'A']],
  // 30·1 again, for all misses are over
  ['a bad month that is over', healthy(probed(1_000, 500)), [100, 'A']],
  // 30·0 + 15 + 15 + 10 + 5 of 75 is 60, capped: it asks for nothing, so compliance is not measured
  ['down for an hour', healthy({ downSince: NOW - 3_600_000 }), [34, 'F']],
  // 0 + 15 + 10·(0.7 + 0.2·7/60) + 5 of 60 = 45.4, capped
  [
    'down, young and without sales',
    healthy({ downSince: NOW, firstSeen: daysAgo(7), settlement: null }),
    [34, 'F'],
  ],
  // 0 + 15 + 0 + 7 + 0 of 75: that its challenges could not be paid counts no more when there are none
  [
    'down, and not payable before',
    healthy({
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
    untouched({ ...probed(1, 0), firstSeen: NOW, lastProbedAt: NOW, downSince: NOW }),
    [17.5, 'F'],
  ],
  // 85 + 15, and past the seven days of a new payTo
  ['a payTo swapped today', healthy({ changes: [{ kind: 'payto_change', at: NOW }] }), [100, 'A']],
  ['errors since today', healthy({ latestCompliance: 'errors' }), [87.5, 'A']],
  ['warnings since today', healthy({ latestCompliance: 'warnings' }), [97.5, 'A']],
  // 75, capped
  ['not payable since today', healthy({ latestCompliance: 'unpayable' }), [49, 'D']],
  [
    'not payable for long, and payable since today',
    healthy({ envelopes: { ...NO_ENVELOPES, unpayable: 1_440 }, latestCompliance: 'pass' }),
    [100, 'A'],
  ],
  // Like its month, where the verdict on the latest is not known: half of 25 is lost
  [
    'half of the challenges not payable, the latest not known',
    healthy({ envelopes: { ...NO_ENVELOPES, pass: 10, unpayable: 10 }, latestCompliance: null }),
    [87.5, 'A'],
  ],
  [
    'no payable challenge for two days, the latest not known',
    healthy({ lastPayableAt: daysAgo(2), latestCompliance: null }),
    [49, 'D'],
  ],
  // It answers and asks for nothing any more: 30 + 15 + 15 + 10 + 5 of 75, capped
  [
    'no challenge for two days',
    healthy({ lastChallengedAt: daysAgo(2), lastPayableAt: daysAgo(2), answeredFree: true }),
    [49, 'D'],
  ],
  ['false USDC', healthy(advertising({ falseUsdc: true })), [20, 'F']],
  // First seen today: 30 + 25 + 15 + 15 + 10·0.7 + 5
  ['new today', healthy({ firstSeen: NOW }), [97, 'A']],
  // What a clock that ran ahead dated after the 30 days happened before them all the same
  ['down since the future', healthy({ downSince: daysAgo(-40) }), [34, 'F']],
  ['a change of the future', healthy({ changes: [{ kind: 'payto_change', at: daysAgo(-40) }] }), [100, 'A']],
  ['first seen by a clock that ran ahead', healthy({ firstSeen: daysAgo(-10) }), [97, 'A']],
  // Settlements and latency are as today: 30 + 25 + 15 + 0 + 10 + 0
  [
    'without a sale, and slow',
    healthy({
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 },
      latency: { p50: 5_000, p95: 10_000, n: 1 },
    }),
    [80, 'A'],
  ],
])('%s', (_, inputs, [points, grade]) => {
  expect(projectionOf(inputs)).toEqual({ at: IN_30_DAYS, score: points, grade });
});

describe('what gives its data away', () => {
  const free = healthy({
    everChallenged: false,
    answeredFree: true,
    envelopes: NO_ENVELOPES,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    settlement: null,
  });

  test('has no grade then either', () => {
    expect(projectionOf(free)).toEqual({ at: IN_30_DAYS, score: 100, grade: '?' });
  });

  test('has given nothing for a month if it stays down', () => {
    // 0 + 10 + 5 of 45 is 33.3, under both caps
    expect(projectionOf({ ...free, downSince: NOW })).toEqual({ at: IN_30_DAYS, score: 33.3, grade: 'F' });
  });
});

test('where nothing was measured there is no state that could hold', () => {
  expect(projectionOf(untouched())).toBeNull();
  expect(projectionOf(untouched(advertising({})))).toBeNull();
  expect(projectionOf(untouched(probed(0, 0, { total: 300, blocked: 300 })))).toBeNull();
});

test('what nobody saw for a day has no state of today that could hold', () => {
  expect(projectionOf(healthy({ lastProbedAt: daysAgo(1.001) }))).toBeNull();
  expect(projectionOf(healthy({ lastProbedAt: daysAgo(1) }))).toEqual({
    at: IN_30_DAYS,
    score: 100,
    grade: 'A',
  });
});

test('a month in which all stayed well is projected to go on as the score says', () => {
  const { projection } = score(healthy({ now: NOW, watchedSince: daysAgo(0.1), lastPayableAt: NOW }));
  expect(projection).toEqual({ at: IN_30_DAYS, score: 100, grade: 'A' });
});
