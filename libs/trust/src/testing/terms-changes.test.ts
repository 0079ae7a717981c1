import { describe, expect, test } from 'vitest';
import { daysAgo, NOW } from './fixtures.ts';
import { fold, type Terms } from './probe-history.ts';
import { TERMS_CASES, termsChanges } from './terms-changes.ts';

describe('what has changed from one set of terms to another', () => {
  test.each(TERMS_CASES)('$name', ({ before, after, kinds }) => {
    expect(termsChanges(before, after)).toEqual(kinds);
  });
});

test('a history knows a takeover that moves to another network', () => {
  const owner: Terms = { microUsd: 10_000, payTo: '0xowner', network: 'eip155:8453' };
  const { changes } = fold(
    [
      { slots: 96, seen: 'pass', terms: owner },
      { slots: 48, seen: 'pass', terms: { ...owner, payTo: '0xthief', network: 'eip155:137' } },
    ],
    {
      ...{ now: NOW, listed: true, templated: false, description: null, settlement: null, networksRead: 0 },
    },
  );
  expect(changes).toEqual([
    { kind: 'asset_network_change', at: daysAgo(1) },
    { kind: 'payto_change', at: daysAgo(1) },
  ]);
});
