import { describe, expect, test } from 'vitest';
import { toDaysAgo, NOW } from './fixtures.ts';
import { foldHistory, type ChallengeTerms } from './probe-history.ts';
import { TERMS_CASES, findTermsChanges } from './terms-changes.ts';

describe('findTermsChanges', () => {
  test.each(TERMS_CASES)('$name', ({ before, after, kinds }) => {
    expect(findTermsChanges(before, after)).toEqual(kinds);
  });
});

test('foldHistory finds a payTo change that moves to another network', () => {
  const owner: ChallengeTerms = { microUsd: 10_000, payTo: '0xowner', network: 'eip155:8453' };
  const { changes } = foldHistory(
    [
      { slots: 96, finding: 'pass', terms: owner },
      { slots: 48, finding: 'pass', terms: { ...owner, payTo: '0xthief', network: 'eip155:137' } },
    ],
    {
      ...{ now: NOW, listed: true, templated: false, description: null, settlement: null, networksRead: 0 },
    },
  );
  expect(changes).toEqual([
    { kind: 'asset_network_change', at: toDaysAgo(1), before: 'eip155:8453', after: 'eip155:137' },
    { kind: 'payto_change', at: toDaysAgo(1), before: '0xowner', after: '0xthief' },
  ]);
});
