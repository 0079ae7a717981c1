import { describe, expect, test } from 'vitest';
import {
  BASE_USDC,
  dualResponse,
  failures,
  PAY_TO,
  resultOf,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from './test-fixtures.ts';
import type { Bag } from './test-fixtures.ts';
import { readChallenge } from './read-challenge.ts';

const OTHER = '0x1111111111111111111111111111111111111111';
const sepolia = {
  network: 'base-sepolia',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  extra: { name: 'USDC', version: '2' },
};

function faults(v2: Bag[], v1: Bag[]): string[] {
  return failures(readChallenge(dualResponse(v2Envelope({ accepts: v2 }), v1Envelope({ accepts: v1 }))));
}

describe('header and body together', () => {
  test('agree in the textbook, whatever the case of the addresses', () => {
    const challenge = readChallenge(dualResponse());
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(challenge.verdict).toBe('pass');
    expect(
      faults([v2Option()], [v1Option({ asset: BASE_USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() })]),
    ).toEqual([]);
  });

  test('are paired by what they are paid in, not by place', () => {
    expect(faults([v2Option()], [v1Option(sepolia), v1Option()])).toEqual([]);
    expect(faults([v2Option({ amount: '1' }), v2Option()], [v1Option()])).toEqual([]);
  });

  test.each<[string, Bag, string[]]>([
    ['payee', { payTo: OTHER }, ['dual-payto']],
    ['amount', { maxAmountRequired: '20000' }, ['dual-amount']],
    ['network', sepolia, ['dual-network']],
    ['asset', { asset: OTHER }, ['dual-asset']],
  ])('contradict each other by their %s', (_, change, expected) => {
    expect(faults([v2Option()], [v1Option(change)])).toEqual(expected);
  });

  test('contradictions are errors, though each version can be paid', () => {
    const challenge = readChallenge(
      dualResponse(undefined, v1Envelope({ accepts: [v1Option({ payTo: OTHER })] })),
    );
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(challenge.verdict).toBe('errors');
  });

  test('have nothing to compare when one is missing', () => {
    for (const id of ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset']) {
      expect(resultOf(readChallenge(v2Response()), id)).toBe('skip');
      expect(resultOf(readChallenge(v1Response()), id)).toBe('skip');
    }
  });
});

test('a version 2 envelope in the body only is unpayable, and its terms are still read', () => {
  const challenge = readChallenge(v1Response(v2Envelope()));
  expect(failures(challenge)).toEqual(['envelope-present', 'v2-header-present', 'mixed-v2-in-body-only']);
  expect(challenge).toMatchObject({ version: 2, source: 'body', verdict: 'unpayable' });
  expect(challenge.options[0]?.amountUsd).toBe('0.010000');
});

test('a version 2 envelope in the body beside the header is a mirror', () => {
  const challenge = readChallenge(dualResponse(v2Envelope(), v2Envelope()));
  expect(resultOf(challenge, 'mixed-v2-in-body-only')).toBe('pass');
  expect(challenge.verdict).toBe('pass');
});

test('a version 1 envelope in the header is an error the version 2 client gets over', () => {
  const challenge = readChallenge(v2Response(v1Envelope()));
  expect(failures(challenge)).toEqual(['mixed-v1-in-header']);
  expect(challenge).toMatchObject({
    version: 1,
    source: 'header',
    payable: { v1: false, v2: true },
    verdict: 'errors',
  });
});
