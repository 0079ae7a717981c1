import { describe, expect, test } from 'vitest';
import { score } from '../score.ts';
import { createChange, createHealthyInputs, NOW, toDaysAgo, withAdvertised } from '../testing/fixtures.ts';
import type { ScoreInputs } from '../types.ts';

describe('a payTo change more than seven days ago', () => {
  const values = { before: '0x01d', after: '0x2ef' };
  const sentence = 'The payTo address changed from 0x01d to 0x2ef on 2026-05-';
  const confirm = '; confirm with the provider that the new address is its own.';

  test.each([
    [14, 'caution', [`${sentence}18 00:00 UTC${confirm}`]],
    [14.001, 'proceed', [expect.stringMatching(/^Score/), `${sentence}17 23:58 UTC.`]],
  ])('excludes proceed until day 14 and remains a reason: %d', (days, recommendation, reasons) => {
    const changes = [createChange('payto_change', toDaysAgo(days), values)];
    expect(score(createHealthyInputs({ changes }))).toMatchObject({ recommendation, reasons });
  });

  test.each<[string, Partial<ScoreInputs>]>([
    ['caution', { downSince: NOW, lastFailure: null }],
    ['avoid', withAdvertised({ falseUsdc: true })],
  ])('is named on day 20 beside other reasons of %s', (recommendation, other) => {
    const changes = [createChange('payto_change', toDaysAgo(20), values)];
    const verdict = score(createHealthyInputs({ changes, ...other }));
    expect(verdict.recommendation).toBe(recommendation);
    expect(verdict.reasons).toContain(`${sentence}12 00:00 UTC.`);
  });

  test('is named once if the payTo changed twice', () => {
    const changes = [9, 20].map((days) => createChange('payto_change', toDaysAgo(days)));
    expect(score(createHealthyInputs({ changes })).reasons).toEqual([
      'The payTo address changed 2 times in the last 30 days, last on 2026-05-23 00:00 UTC.',
    ]);
  });
});
