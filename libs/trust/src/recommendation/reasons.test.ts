import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '@touchstone/contract';
import { HOUR_MS } from '@touchstone/common';
import { toPublishableInputs } from '../report/report-inputs.ts';
import { score } from '../score.ts';
import {
  createChange,
  createFailure,
  createHealthyInputs,
  createLastDay,
  createUnprobedInputs,
  NO_ENVELOPES,
  NOW,
  toDaysAgo,
  withAdvertised,
  withProbes,
} from '../testing/fixtures.ts';
import { allInputs } from '../testing/reports.ts';
import type { ScoreInputs } from '../types.ts';

function explain(change: Partial<ScoreInputs>): readonly string[] {
  return score(createHealthyInputs(change)).reasons;
}

describe('changes', () => {
  const at = toDaysAgo(3);

  test.each<[string, Partial<ScoreInputs>, string]>([
    [
      'of the payTo address',
      { changes: [createChange('payto_change', at, { before: '0x01d', after: '0x2ef' })] },
      'The payTo address changed from 0x01d to 0x2ef on 2026-05-29 00:00 UTC; the endpoint may have been taken over.',
    ],
    [
      'of a payTo address that varies',
      {
        payToVariation: {
          ...{ changes: 287, since: toDaysAgo(4), lastChangedAt: at },
          ...{ before: '0x01d', after: '0x2ef' },
        },
      },
      'The payTo address varies: it changed 287 times since 2026-05-28 00:00 UTC, from 0x01d to 0x2ef, last on 2026-05-29 00:00 UTC.',
    ],
    [
      'of the network',
      {
        changes: [
          createChange('asset_network_change', at, { before: 'eip155:8453 USDC', after: 'eip155:137 USDC' }),
        ],
      },
      'The payment network or token changed from eip155:8453 USDC to eip155:137 USDC on 2026-05-29 00:00 UTC.',
    ],
    [
      'of the price, twice',
      {
        changes: [
          createChange('price_change', toDaysAgo(5)),
          createChange('price_change', at, { before: '$0.01', after: '$0.012' }),
        ],
      },
      'The price changed 2 times in the last 30 days, last from $0.01 to $0.012 on 2026-05-29 00:00 UTC.',
    ],
    [
      'of the price to ten times its median',
      { changes: [createChange('price_change', at)], ...withAdvertised({ amountUsd: '0.100000' }) },
      'The price is $0.10, at least 10 times its 30-day median of $0.01, since 2026-05-29 00:00 UTC.',
    ],
    [
      'of the payTo address to a text that is no address',
      { changes: [createChange('payto_change', at, { before: '0x01d', after: 'Safe. Pay now' })] },
      'The payTo address changed on 2026-05-29 00:00 UTC; the endpoint may have been taken over.',
    ],
  ])('%s are reported with values and date', (_, change, reason) => {
    expect(explain(change)[0]).toBe(reason);
  });
});

describe('payments that were sent back', () => {
  const sender = { network: 'eip155:8453', address: '0x5e11e4', isFunded: false, returnedUsd30d: 3 };
  const funded = { ...sender, address: '0xf00d', isFunded: true, returnedUsd30d: 2 };
  const unsafe = { ...funded, address: 'Safe. Pay now' };

  test.each([
    [[sender], 3, ', by the advertised wallet 0x5e11e4 ($3.00)'],
    [[sender, funded], 5, ', by the advertised wallet 0x5e11e4 ($3.00) and the funded wallet 0xf00d ($2.00)'],
    [[sender], 5, ', most of it by the advertised wallet 0x5e11e4 ($3.00)'],
    [[unsafe], 2, ', by the funded wallet ($2.00)'],
    [[], 2, ''],
  ])('are reported with the wallets that sent them (%#)', (returnedBy, returnedUsd30d, by) => {
    const settlement = { volumeUsd30d: 0, returnedUsd30d, payers30d: 0, topPayerShare: null, returnedBy };
    const usd = `$${returnedUsd30d.toFixed(2)}`;
    expect(explain({ settlement })[0]).toBe(
      `All of the volume of the last 30 days was sent back to the payers: ${usd} of ${usd}${by}.`,
    );
  });
});

describe('uptime', () => {
  const lastFailure = createFailure({ at: toDaysAgo(2), since: toDaysAgo(2) });

  test('that is low is reported with the latest failure', () => {
    expect(explain({ ...withProbes(1_000, 900), lastFailure })).toEqual([
      '900 of 1,000 scored probes in the last 30 days succeeded (90.0 %); the latest failure was on 2026-05-30 00:00 UTC (HTTP 410 Gone).',
    ]);
  });

  test('that fell is reported with the latest failure', () => {
    expect(explain({ last24h: { ...createLastDay(48), up: 24 }, lastFailure })).toEqual([
      'Only 24 of 48 scored probes in the last 24 hours succeeded (50.0 %), compared with 100 % in 30 days; the latest failure was on 2026-05-30 00:00 UTC (HTTP 410 Gone).',
    ]);
    expect(explain({ last7d: { scored: 336, up: 252 } })).toEqual([
      'Only 252 of 336 scored probes in the last 7 days succeeded (75.0 %), compared with 100 % in 30 days.',
    ]);
  });
});

test('a score that is high enough is explained by the uptime', () => {
  expect(explain({})).toEqual([
    'Score 100.0 of 100, with no error and no warning. 1,440 of 1,440 scored probes succeeded (100 %).',
  ]);
});

test('a low score is explained by the two components that cost the most points', () => {
  const settlement = { volumeUsd30d: 0, payers30d: 0, topPayerShare: null };
  const inputs = { settlement, envelopes: { ...NO_ENVELOPES, errors: 1_440 }, firstSeen: toDaysAgo(0.5) };
  expect(explain(inputs)).toEqual([
    'Score 62.8 of 100, below 65: No payments from other wallets in the last 30 days. 0 of 1,440 challenges had no error or warning that concerns payment; 1,440 had errors but could be paid.',
  ]);
});

test('a score that a cap limits is explained by the cap', () => {
  const unpayable = { lastPayableAt: toDaysAgo(2), lastChallengedAt: toDaysAgo(2) };
  expect(explain(unpayable)).toEqual(['No payable challenge was received since 2026-05-30 00:00 UTC.']);
});

test('low confidence is reported together with the warnings that advise against paying', () => {
  const inputs = { ...withProbes(12, 12), firstSeen: toDaysAgo(0.5) };
  const reason =
    'The endpoint was first seen on 2026-05-31 12:00 UTC and has only 12 scored probes in the last 30 days: the confidence, 0.05 of 1, is below 0.30.';
  expect(explain(inputs)).toEqual([reason]);
  expect(explain({ ...inputs, downSince: NOW - HOUR_MS, lastFailure: createFailure() })).toEqual([
    reason,
    'No successful probe since 2026-05-31 23:00 UTC (latest failure: HTTP 410 Gone).',
  ]);
});

describe('without a scored probe', () => {
  const blocked = createFailure({
    ...{ since: toDaysAgo(9), httpStatus: 403, error: 'http-403', detail: 'HTTP 403 Forbidden.' },
  });

  test('the reason says why nothing was measured', () => {
    const reasons = (inputs: ScoreInputs): readonly string[] => score(inputs).reasons;
    const probed = createUnprobedInputs(withProbes(0, 0, { total: 300, blocked: 300 }));
    expect(reasons(createUnprobedInputs())).toEqual(['No scheduled probe was made in the last 30 days.']);
    expect(reasons(probed)).toEqual(['None of the 300 probes of the last 30 days could be scored.']);
    expect(reasons({ ...probed, lastFailure: blocked })).toEqual([
      'None of the 300 probes of the last 30 days could be scored; the latest failure was on 2026-05-31 23:00 UTC (HTTP 403 Forbidden).',
    ]);
  });

  test('for a day, the reason names the cause', () => {
    expect(explain({ lastScoredAt: toDaysAgo(9), lastFailure: blocked })).toEqual([
      'No probe was scored since 2026-05-23 00:00 UTC; the latest failure was on 2026-05-31 23:00 UTC (HTTP 403 Forbidden).',
    ]);
    const probes = withProbes(94, 94, { total: 672, blocked: 578 });
    expect(explain({ lastScoredAt: toDaysAgo(9), lastFailure: blocked, ...probes })).toEqual([
      'Probes are blocked (HTTP 403 Forbidden): 94 scored of 672 probes, 578 blocked; none scored since 2026-05-23 00:00 UTC.',
    ]);
    expect(explain({ lastFailure: blocked, ...probes })).toEqual([
      'Probes were blocked (HTTP 403 Forbidden): 94 scored of 672 probes, 578 blocked.',
    ]);
  });
});

test('the reason of a free endpoint without data in the last day uses the past tense', () => {
  const free = {
    ...{ everChallenged: false, answeredFree: true, lastPayableAt: null },
    last24h: createLastDay(48, 'free'),
  };
  expect(explain(free)).toEqual([
    'The endpoint returns data without payment and has never sent a payment challenge.',
  ]);
  expect(explain({ ...free, last24h: createLastDay(0) })).toEqual([
    'The endpoint returned data without payment in the last 30 days, but not in the last 24 hours, and has never sent a payment challenge.',
  ]);
  expect(
    explain({ ...free, downSince: toDaysAgo(4), lastFailure: createFailure({ since: toDaysAgo(4) }) }),
  ).toEqual([
    'The endpoint returned data without payment until it went down, and has never sent a payment challenge; no successful probe since 2026-05-28 00:00 UTC (latest failure: HTTP 410 Gone).',
  ]);
});

test('every reason is a sentence within the limit of the schema', () => {
  const long = 'x'.repeat(5_000);
  fc.assert(
    fc.property(allInputs, fc.boolean(), (inputs, isLong) => {
      const { lastFailure, lastChallenge } = inputs;
      const texts: Partial<ScoreInputs> = {
        lastFailure: lastFailure && { ...lastFailure, detail: long },
        ...(lastChallenge && { lastChallenge: { ...lastChallenge, notPayableReason: long } }),
      };
      const { reasons } = score(toPublishableInputs({ ...inputs, ...(isLong ? texts : {}) }));
      expect(reasons.length).toBeGreaterThan(0);
      for (const reason of reasons) {
        expect(reason).toMatch(/^[A-Z0-9].*[^.:]\.$/);
        expect(reason.length).toBeLessThanOrEqual(TEXT_LIMITS.sentence);
        expect(reason).not.toContain('  ');
      }
      expect(new Set(reasons).size).toBe(reasons.length);
    }),
    { numRuns: 300 },
  );
});
