import { describe, expect, test } from 'vitest';
import { score } from './score.ts';
import {
  advertising,
  daysAgo,
  healthy,
  NO_ENVELOPES,
  NOW,
  probed,
  untouched,
  valueOf,
} from './testing/fixtures.ts';
import type { ScoreInputs } from './types.ts';

/** So many probes and challenges that their bounds are what was seen. */
const EXACT = { ...probed(1e9, 1e9), envelopes: { ...NO_ENVELOPES, pass: 1e9 } };

describe('the components of', () => {
  test('an endpoint with everything measured', () => {
    const verdict = score(healthy());
    expect(verdict.components.map(({ component, weight, points }) => [component, weight, points])).toEqual([
      ['uptime', 30, 30],
      ['compliance', 25, 25],
      ['stability', 15, 15],
      ['activity', 15, 15],
      ['age', 10, 10],
      ['latency', 5, 5],
    ]);
  });

  test('an endpoint with nothing measured but its age', () => {
    const verdict = score(untouched({ firstSeen: daysAgo(30) }));
    expect(verdict.components.map(({ value, points }) => [value, points])).toEqual([
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
    ]);
    expect(verdict.scoreRange).toEqual({ low: 0, point: 0, high: 100 });
    expect([verdict.grade, verdict.projection]).toEqual(['?', null]);
    expect(verdict.components.find(({ component }) => component === 'age')?.inputs).toEqual({ days: 30 });
  });

  test('settlements that are known in part count as far as they go, and none of them is not zero', () => {
    const settlement = { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0.6 };
    const partial = { ...settlement, partial: true };
    const nothing = { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 };
    expect(valueOf(score(healthy({ settlement: partial })), 'activity')).toBe(
      valueOf(score(healthy({ settlement })), 'activity'),
    );
    expect(valueOf(score(healthy({ settlement: nothing })), 'activity')).toBe(0);
    expect(valueOf(score(healthy({ settlement: { ...nothing, partial: true } })), 'activity')).toBeNull();
  });

  test('settlements: half volume less the largest payer, half payers', () => {
    const settlement = { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0.6 };
    expect(valueOf(score(healthy({ settlement })), 'activity')).toBeCloseTo((0.55 * 0.4 + 0.55) / 2, 9);
  });
});

test('confidence grows with scored probes and with the chains that were read', () => {
  const of = (scored: number, networksRead: number): number =>
    score(healthy({ ...probed(scored, scored), networksRead })).confidence;
  expect(of(0, 1)).toBe(0);
  expect(of(240, 1)).toBe(0.63);
  expect(of(240, 0)).toBe(0.51);
  expect(of(1_440, 1)).toBe(1);
  expect(of(1_440, 0)).toBe(0.8);
  // 0.997521·(0.8 + 0.2·0.5): one of two networks was read, which is half of what can be known
  expect(of(1_440, 0.5)).toBe(0.9);
  expect(score(healthy({ networksRead: 0.5 })).confidenceDetail.economic).toBe(0.5);
});

test('reasons name what decided, in order', () => {
  expect(score(healthy()).reasons).toEqual(['The score of 100.0 is 65 or more, and no warning bars it.']);
  expect(score(healthy({ downSince: daysAgo(3), ...advertising({ falseUsdc: true }) })).reasons).toEqual([
    'The token it asks for only calls itself USDC.',
    'It has not answered for a day or longer.',
    'The score of 20.0 is below 35.',
  ]);
});

test('flags say since when, where that is known', () => {
  const { flags } = score(
    healthy({ downSince: daysAgo(2), changes: [{ kind: 'payto_change', at: daysAgo(3) }] }),
  );
  expect(flags.map(({ slug, since }) => [slug, since])).toEqual([
    ['payto-changed-recently', daysAgo(3)],
    ['down-now', daysAgo(2)],
    ['not-payable-now', null],
  ]);
});

test('every cap that applies is named, and the smallest decides', () => {
  const verdict = score(
    healthy({
      downSince: daysAgo(2),
      lastPayableAt: daysAgo(2),
      changes: [{ kind: 'payto_change', at: daysAgo(3) }],
    }),
  );
  expect(verdict.caps.map(({ rule, limit }) => [rule, limit])).toEqual([
    ['payto-changed-recently', 64],
    ['not-payable', 49],
    ['down-now', 34],
  ]);
  expect(verdict.score).toBe(34);
});

/** The ranges by hand: Wilson bounds at z = 1.959964, and the published curve of uptime. */
test.each<[name: string, inputs: ScoreInputs, range: { low: number; high: number }]>([
  // 90 of 100: 0.825633 to 0.944771, on the curve 0.325633 to 0.579083; 30 times that, and 70
  ['uptime', healthy({ ...EXACT, ...probed(100, 90) }), { low: 79.8, high: 87.4 }],
  // 100 of 100: from 0.963006, on the curve 0.681284
  ['uptime without a miss', healthy({ ...EXACT, ...probed(100, 100) }), { low: 90.4, high: 100 }],
  // A mean of 0.8 over 50: 0.669629 to 0.887569, which needs no curve; 25 times that, and 75
  [
    'compliance',
    healthy({ envelopes: { pass: 30, warnings: 0, errors: 20, unpayable: 0 }, ...probed(1e9, 1e9) }),
    { low: 91.7, high: 97.2 },
  ],
  // Nothing of the chain: 0 and 15 of the 100
  ['what was not measured', healthy({ settlement: null, ...EXACT }), { low: 85, high: 100 }],
])('the range is by the bounds of %s', (_, inputs, range) => {
  expect(score(inputs).scoreRange).toMatchObject(range);
});

test('age is counted with four decimals of a day', () => {
  const { components } = score(healthy({ firstSeen: daysAgo(1.23456) }));
  expect(components.find(({ component }) => component === 'age')).toMatchObject({
    inputs: { days: 1.2346 },
    // 0.4·1.2346/7
    value: 0.070548571,
  });
});

test('sentences count like people do', () => {
  const sentence = (inputs: ScoreInputs, name: string): string | undefined =>
    score(inputs).components.find(({ component }) => component === name)?.explanation;
  const one = healthy({
    ...probed(1, 1),
    envelopes: { ...NO_ENVELOPES, pass: 1 },
    changes: [{ kind: 'price_change', at: NOW }],
    firstSeen: daysAgo(1),
    settlement: { volumeUsd30d: 2, payers30d: 1, topPayerShare: 1 },
  });
  expect(['uptime', 'compliance', 'stability', 'activity', 'age'].map((name) => sentence(one, name))).toEqual(
    [
      'Up in 1 of 1 scored probe (100 %).',
      'Of 1 challenge 1 passed every check, 0 had warnings, 0 errors, and 0 could not be paid.',
      'The advertised terms changed once in 30 days.',
      '2.00 US dollars from 1 payer settled in 30 days, the largest of them with 100 %.',
      'First seen 1 day ago.',
    ],
  );
  expect(sentence(healthy(), 'stability')).toBe('The advertised terms changed 0 times in 30 days.');
});

test('what was never measured says why', () => {
  const reasons = (inputs: ScoreInputs): readonly string[] => score(inputs).reasons;
  expect(reasons(untouched())).toEqual(['No probe has measured it yet.']);
  expect(reasons(untouched(probed(0, 0, { total: 300, blocked: 300 })))).toEqual([
    'Every probe was turned away or told nothing of it.',
  ]);
});

test('what was free and is down is spoken of as it was', () => {
  const free = healthy({ everChallenged: false, answeredFree: true, lastPayableAt: null });
  expect(score(free).reasons).toEqual([
    'It answers plain requests with data and has never asked to be paid.',
  ]);
  expect(score({ ...free, downSince: daysAgo(4) }).reasons).toEqual([
    'It answered plain requests with data until it went down, and has never asked to be paid.',
  ]);
});
