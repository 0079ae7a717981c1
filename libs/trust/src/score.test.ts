import { describe, expect, test } from 'vitest';
import { score } from './score.ts';
import {
  toDaysAgo,
  createHealthyInputs,
  NO_ENVELOPES,
  NOW,
  withProbes,
  findComponentValue,
  createChange,
} from './testing/fixtures.ts';
import type { ScoreInputs } from './types.ts';

/**
 * Score inputs with so many probes and challenges that the Wilson intervals of uptime and compliance shrink to the
 * observed values.
 */
const EXACT = { ...withProbes(1e9, 1e9), envelopes: { ...NO_ENVELOPES, pass: 1e9 } };

describe('measures the components of', () => {
  test('partially read settlements: their figures count, and without a payer the value is null', () => {
    const settlement = { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0.6 };
    const partial = { ...settlement, partial: true };
    const nothing = { volumeUsd30d: 0, payers30d: 0, topPayerShare: null };
    expect(findComponentValue(score(createHealthyInputs({ settlement: partial })), 'activity')).toBe(
      findComponentValue(score(createHealthyInputs({ settlement })), 'activity'),
    );
    expect(findComponentValue(score(createHealthyInputs({ settlement: nothing })), 'activity')).toBe(0);
    expect(
      findComponentValue(
        score(createHealthyInputs({ settlement: { ...nothing, partial: true } })),
        'activity',
      ),
    ).toBeNull();
  });

  test('settlements: the mean of the volume without the largest payer and the number of payers', () => {
    const settlement = { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0.6 };
    expect(findComponentValue(score(createHealthyInputs({ settlement })), 'activity')).toBeCloseTo(
      (0.55 * 0.4 + 0.55) / 2,
      9,
    );
  });
});

test.each([
  [94, '94 of 94 scored probes succeeded (100 %). 94 scored of 672 probes, 578 blocked.'],
  [0, 'No probe in the last 30 days was scored. 0 scored of 672 probes, 578 blocked.'],
])('the uptime of %d probes names the blocked probes', (scored, expected) => {
  const inputs = createHealthyInputs(withProbes(scored, scored, { total: 672, blocked: 578 }));
  expect(score(inputs).components[0]?.explanation).toBe(expected);
});

test('the confidence counts no chain where no network is advertised', () => {
  const { confidence, confidenceDetail } = score(createHealthyInputs({ networksRead: null }));
  expect(confidenceDetail).toEqual({ overall: 0.8, observation: 1, economic: null });
  expect(confidence).toBe(0.8);
});

test('confidence grows with the scored probes and the chains read', () => {
  const toConfidence = (scored: number, networksRead: number): number =>
    score(createHealthyInputs({ ...withProbes(scored, scored), networksRead })).confidence;
  expect(toConfidence(0, 1)).toBe(0);
  expect(toConfidence(240, 1)).toBe(0.63);
  expect(toConfidence(240, 0)).toBe(0.51);
  expect(toConfidence(1_440, 1)).toBe(1);
  expect(toConfidence(1_440, 0)).toBe(0.8);
  // The chain of one of two networks was read, so the economic part is 0.5. The observation part is 0.997521.
  expect(toConfidence(1_440, 0.5)).toBe(0.9);
  expect(score(createHealthyInputs({ networksRead: 0.5 })).confidenceDetail.economic).toBe(0.5);
});

/**
 * Test cases with the expected score range, calculated by hand. The bounds of a Wilson interval use z = 1.959964. The
 * published uptime curve converts the bounds of the uptime share to component values.
 */
test.each<[name: string, inputs: ScoreInputs, range: { low: number; high: number }]>([
  // With 90 of 100 probes up, the interval is 0.825633 to 0.944771, and the uptime curve gives 0.325633 to 0.579083.
  // The range is 30 times these values plus 70 points of the other components.
  ['uptime', createHealthyInputs({ ...EXACT, ...withProbes(100, 90) }), { low: 79.8, high: 87.4 }],
  // With 100 of 100 probes up, the interval begins at 0.963006, where the uptime curve gives 0.681284.
  [
    'uptime without a failed probe',
    createHealthyInputs({ ...EXACT, ...withProbes(100, 100) }),
    { low: 90.4, high: 100 },
  ],
  // With a mean of 0.8 over 50 challenges, the interval is 0.669629 to 0.887569. Compliance has no curve, so the range
  // is 25 times these bounds plus 75 points of the other components.
  [
    'compliance',
    createHealthyInputs({
      envelopes: { pass: 30, warnings: 0, errors: 20, unpayable: 0 },
      ...withProbes(1e9, 1e9),
    }),
    { low: 91.7, high: 97.2 },
  ],
  // Activity is unmeasured, so it gives 0 points at the lower and 15 points at the upper bound.
  ['an unmeasured component', createHealthyInputs({ settlement: null, ...EXACT }), { low: 85, high: 100 }],
])('the score range uses the bounds of %s', (_, inputs, range) => {
  expect(score(inputs).scoreRange).toMatchObject(range);
});

test('age uses days with four decimals', () => {
  const { components } = score(createHealthyInputs({ firstSeen: toDaysAgo(1.23456) }));
  expect(components.find(({ component }) => component === 'age')).toMatchObject({
    inputs: { days: 1.2346 },
    // Below 7 days, the age value is 0.4·days/7.
    value: 0.070548571,
  });
});

test('explanations use singular and plural, and name the kind of change', () => {
  const sentence = (inputs: ScoreInputs, name: string): string | undefined =>
    score(inputs).components.find(({ component }) => component === name)?.explanation;
  const one = createHealthyInputs({
    ...withProbes(1, 1),
    envelopes: { ...NO_ENVELOPES, pass: 1 },
    changes: [createChange('price_change', NOW)],
    firstSeen: toDaysAgo(1),
    settlement: { volumeUsd30d: 2, payers30d: 1, topPayerShare: 1 },
  });
  expect(['uptime', 'compliance', 'stability', 'activity', 'age'].map((name) => sentence(one, name))).toEqual(
    [
      '1 of 1 scored probe succeeded (100 %).',
      '1 of 1 challenge had no error or warning that concerns payment.',
      '1 price change in the last 30 days.',
      '1 payer settled $2.00 to the advertised wallets in the last 30 days.',
      'First seen 1 day ago.',
    ],
  );
  expect(sentence(createHealthyInputs(), 'stability')).toBe(
    'No change of price, payTo, asset or network in the last 30 days.',
  );
  const changing = createHealthyInputs({
    firstSeen: NOW,
    changes: [
      createChange('price_change', NOW),
      createChange('payto_change', NOW),
      createChange('payto_change', NOW),
      createChange('asset_network_change', NOW),
    ],
    envelopes: { pass: 1, warnings: 2, errors: 3, unpayable: 4 },
    settlement: { volumeUsd30d: 2, payers30d: 2, topPayerShare: 0.5 },
  });
  expect(sentence(changing, 'compliance')).toBe(
    '1 of 10 challenges had no error or warning that concerns payment; 2 had only warnings; 3 had errors but could be paid; 4 could not be paid.',
  );
  expect(sentence(changing, 'stability')).toBe(
    '1 price change, 2 payTo changes, 1 asset or network change in the last 30 days.',
  );
  const payToVariation = { changes: 287, since: NOW, lastChangedAt: NOW, before: '0x1', after: '0x2' };
  const varying = createHealthyInputs({ payToVariation });
  expect(score(varying)).toMatchObject({ score: 100, recommendation: 'caution', caps: [] });
  expect(sentence(varying, 'stability')).toBe(
    'No change of price, asset or network in the last 30 days. Changes while the payTo varied cost nothing.',
  );
  expect(sentence({ ...changing, templated: true }, 'stability')).toBe(
    'The URL is a template, so its price and payTo may vary. 1 asset or network change in the last 30 days.',
  );
  expect(sentence(changing, 'age')).toBe('First seen less than 1 day ago.');
  expect(sentence(changing, 'activity')).toBe(
    '2 payers settled $2.00 to the advertised wallets in the last 30 days; the largest payer paid 50.0 %.',
  );
});

test('the activity explanation distinguishes no payers, unread chains, partly read chains and no wallet', () => {
  const explain = (change: Partial<ScoreInputs>): string | undefined =>
    score(createHealthyInputs(change)).components.find(({ component }) => component === 'activity')
      ?.explanation;
  expect(explain({ settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: null } })).toBe(
    'No payments from other wallets in the last 30 days.',
  );
  expect(
    explain({ settlement: { volumeUsd30d: 0, returnedUsd30d: 9, payers30d: 0, topPayerShare: null } }),
  ).toBe(
    'The payers settled $9.00 to the advertised wallets in the last 30 days, and all of it was sent back to them.',
  );
  // The settlement of the healthy inputs is shared.
  for (const [sharers, text] of [
    [{ payToSharedOnHost: 1 }, '1 other endpoint of this host advertises'],
    [{ payToSharedWith: 1_000 }, 'At least 1,000 endpoints of other hosts advertise'],
    [
      { payToSharedOnHost: 3, payToSharedWith: 1 },
      '3 other endpoints of this host and 1 endpoint of other hosts advertise',
    ],
  ] as const)
    expect(explain(sharers)).toContain(
      ` ${text} the same payTo address, so this volume may include payments to them.`,
    );
  expect(explain({ settlement: null, networksRead: 0 })).toBe(
    'Payments are not measured: none of its wallets takes USDC on a chain that was read completely.',
  );
  // The chain was read, but one of the wallets takes another token than USDC.
  expect(explain({ settlement: null, networksRead: 1 })).toBe(
    'No payment was found, but not all of its wallets take USDC on a chain that was read completely.',
  );
  expect(explain({ settlement: null, advertised: null })).toBe(
    'The endpoint advertises no wallet, so there are no payments to read.',
  );
});
