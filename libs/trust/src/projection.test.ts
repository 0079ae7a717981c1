import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPLIANCE_RESULTS } from '@touchstone/contract';
import { score } from './score.ts';
import {
  withAdvertised,
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withProbes,
  createUnprobedInputs,
  anyInputs,
  createChange,
  createFailure,
  createLastDay,
} from './testing/fixtures.ts';
import type { ScoreInputs, Verdict } from './types.ts';

const IN_30_DAYS = toDaysAgo(-30);

function toProjection(inputs: ScoreInputs): Verdict['projection'] {
  return score(inputs).projection;
}

const DOWN = { last24h: createLastDay(48, 'down'), downSince: toDaysAgo(1.5) } as const;

/**
 * Returns the counts of a last day with 48 probes: the given challenges, and `free` probes that returned data without
 * payment. All other probes failed.
 */
function createMixedDay(
  envelopes: Partial<ScoreInputs['envelopes']>,
  free = 0,
): Pick<ScoreInputs, 'last24h'> {
  const up = free + Object.values(envelopes).reduce((sum, count) => sum + count, 0);
  return { last24h: { scored: 48, up, free, envelopes: { ...NO_ENVELOPES, ...envelopes } } };
}

/**
 * Each row has a situation, its difference from a healthy endpoint, and the projected score and grade, calculated by hand from the published
 * formula. The maximum points are uptime 30, compliance 25, stability 15, activity 15, age 10 and latency 5.
 */
test.each<[name: string, change: Partial<ScoreInputs>, then: [score: number, grade: string]]>([
  ['a healthy endpoint keeps its score', {}, [100, 'A']],
  // Uptime gives its full 30 points again, because no probe of the last day failed.
  ['half of the probes down, and none today', withProbes(1_000, 500), [100, 'A']],
  // With an uptime of 50 %, uptime gives 0 points.
  ['down half of the last day', createMixedDay({ pass: 24 }), [70, 'B']],
  // One failed probe of 48 is an uptime of 97.9 %. It gives 30·(0.6 + 0.25·(97.9167 − 95)/4) points.
  ['one failed probe in the last day', createMixedDay({ pass: 47 }), [93.5, 'A']],
  // An endpoint that is down sends no challenges, so compliance is unmeasured. The measured components give 45 of 75
  // points, and the score of 60 is capped at 34.
  ['down all day', DOWN, [34, 'F']],
  // Compliance and activity are unmeasured. The measured components give 27.2 of 60 points, and the score of 45.4 is
  // capped at 34.
  [
    'down, one week old and with unread settlements',
    { ...DOWN, firstSeen: toDaysAgo(7), settlement: null },
    [34, 'F'],
  ],
  // Without challenges, compliance is not measured. Stability gives 15 points and age gives 7 points: 22 of 75
  // possible points.
  [
    'down, slow and without sales',
    {
      ...DOWN,
      firstSeen: NOW,
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      latency: { p50: 5_000, p95: 10_000, n: 1 },
    },
    [29.3, 'F'],
  ],
  // Only uptime and age are measured. They give 0 and 7 of 40 points.
  [
    'down since it was first seen today',
    createUnprobedInputs({
      ...withProbes(1, 0),
      ...{ firstSeen: NOW, lastScoredAt: NOW, downSince: NOW, last24h: createLastDay(1, 'down') },
    }),
    [17.5, 'F'],
  ],
  // Stability gives its full 15 points, because the payTo change is 30 days old and has neither a cost nor a cap.
  ['a payTo change today', { changes: [createChange('payto_change', NOW)] }, [100, 'A']],
  // 30 such days have 30 scored probes. A cap limits the score to 79.
  ['one probe in the last day', { last24h: createLastDay(1) }, [79, 'B']],
  ['two probes in the last day', { last24h: createLastDay(2) }, [100, 'A']],
  ['errors all day', { last24h: createLastDay(48, 'errors') }, [87.5, 'A']],
  ['warnings all day', { last24h: createLastDay(48, 'warnings') }, [97.5, 'A']],
  // Compliance gives 0 points. The score of 75 is capped at 49.
  ['not payable all day', { last24h: createLastDay(48, 'unpayable') }, [49, 'D']],
  [
    'not payable all month, and payable in the last day',
    { envelopes: { ...NO_ENVELOPES, unpayable: 1_440 } },
    [100, 'A'],
  ],
  // Compliance gives half of its 25 points.
  [
    'half of the challenges unpayable in the last day',
    createMixedDay({ pass: 24, unpayable: 24 }),
    [87.5, 'A'],
  ],
  // The endpoint is up but sends no challenges, so compliance is unmeasured. All other components give their full
  // points, and the score of 100 is capped at 49.
  ['no challenge in the last day', { last24h: createLastDay(48, 'free') }, [49, 'D']],
  ['a token falsely named USDC', withAdvertised({ falseUsdc: true }), [20, 'F']],
  // After 30 days, age gives 7 of its 10 points. All other components give their full points.
  ['new today', { firstSeen: NOW }, [97, 'A']],
  // A wrong clock can produce times in the future. The projection replaces them with the current time.
  ['down since a future time', { ...DOWN, downSince: toDaysAgo(-40) }, [34, 'F']],
  [
    'not payable, with a payable challenge at a future time',
    { last24h: createLastDay(48, 'unpayable'), lastPayableAt: toDaysAgo(-40) },
    [49, 'D'],
  ],
  ['a change at a future time', { changes: [createChange('payto_change', toDaysAgo(-40))] }, [100, 'A']],
  ['first seen at a future time', { firstSeen: toDaysAgo(-10) }, [97, 'A']],
  // The projection keeps settlements and latency, so activity and latency give 0 points.
  [
    'slow and without sales',
    {
      settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null },
      latency: { p50: 5_000, p95: 10_000, n: 1 },
    },
    [80, 'A'],
  ],
])('projects %s', (_, change, [points, grade]) => {
  expect(toProjection(createHealthyInputs(change))).toEqual({ at: IN_30_DAYS, score: points, grade });
});

describe('a free endpoint', () => {
  const free = createHealthyInputs({
    everChallenged: false,
    answeredFree: true,
    envelopes: NO_ENVELOPES,
    last24h: createLastDay(48, 'free'),
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    settlement: null,
  });

  test('has no projected grade', () => {
    expect(toProjection(free)).toEqual({ at: IN_30_DAYS, score: 100, grade: '?' });
  });

  test('is projected as down and no longer free if it was down all day', () => {
    // Only uptime, age and latency are measured. They give 15 of 45 points. No cap lowers the score of 33.3.
    expect(toProjection({ ...free, ...DOWN })).toEqual({ at: IN_30_DAYS, score: 33.3, grade: 'F' });
  });
});

/**
 * Facts about an endpoint that can differ between two reports a second apart, because one probe was made between the
 * reports.
 */
const lastProbe = fc.record({
  latestCompliance: fc.constantFrom(...COMPLIANCE_RESULTS, null),
  downSince: fc.option(fc.integer({ min: toDaysAgo(0.9), max: NOW })),
  lastFailure: fc.constantFrom(null, createFailure()),
  lastScoredAt: fc.integer({ min: toDaysAgo(0.9), max: NOW }),
  lastChallengedAt: fc.integer({ min: toDaysAgo(0.9), max: NOW }),
  lastPayableAt: fc.integer({ min: toDaysAgo(0.9), max: NOW }),
});

test('the projection does not depend on the last probe', () => {
  fc.assert(
    fc.property(anyInputs, lastProbe, lastProbe, (inputs, one, other) => {
      expect(toProjection({ ...inputs, ...one })).toEqual(toProjection({ ...inputs, ...other }));
    }),
    { numRuns: 500 },
  );
});

test('one more probe in the last day changes the projection by at most its share', () => {
  // Before the last probe, 47 of 48 probes succeeded (97.9 %). After one more failure, 47 of 49 succeeded (95.9 %).
  const before = createHealthyInputs(createMixedDay({ pass: 47 }));
  const after = { ...before, last24h: { ...before.last24h, scored: 49 }, downSince: NOW };
  expect([toProjection(before)?.score, toProjection(after)?.score]).toEqual([93.5, 89.7]);
});
