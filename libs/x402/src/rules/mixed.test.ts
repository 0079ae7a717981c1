import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { MIXED_RULES } from './mixed.ts';
import {
  BASE_USDC,
  checkOf,
  dualResponse,
  encode,
  PAY_TO,
  resultOf,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const IDS = new Set([
  'envelope-present',
  'v2-header-present',
  'v2-header-name',
  ...MIXED_RULES.map(({ id }) => id),
]);
const OTHER = '0x1111111111111111111111111111111111111111';
const sepolia = {
  network: 'base-sepolia',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  extra: { name: 'USDC', version: '2' },
};

/** Ids of the rules of this table, and of those on where an envelope is, that failed. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function together(v2: Bag[], v1: Bag[]): Challenge {
  return readChallenge(dualResponse(v2Envelope({ accepts: v2 }), v1Envelope({ accepts: v1 })));
}

describe('header and body together', () => {
  test('agree in the textbook, whatever the case of the addresses', () => {
    const challenge = readChallenge(dualResponse());
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(faults(challenge)).toEqual([]);
    const lower = v1Option({ asset: BASE_USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() });
    expect(faults(together([v2Option()], [lower]))).toEqual([]);
  });

  test('are paired by what they are paid in, not by place', () => {
    expect(faults(together([v2Option()], [v1Option(sepolia), v1Option()]))).toEqual([]);
    expect(faults(together([v2Option({ amount: '1' }), v2Option()], [v1Option()]))).toEqual([]);
  });

  test.each<[string, Bag, string[]]>([
    ['payee', { payTo: OTHER }, ['dual-payto']],
    ['amount', { maxAmountRequired: '20000' }, ['dual-amount']],
    ['network', sepolia, ['dual-network']],
    ['asset', { asset: OTHER }, ['dual-asset']],
    ['resource', { resource: 'https://api.example.com/v2/weather' }, ['dual-resource']],
  ])('contradict each other by their %s', (_, change, expected) => {
    expect(faults(together([v2Option()], [v1Option(change)]))).toEqual(expected);
  });

  test('contradict each other where they meet, though other options agree', () => {
    const there = { network: 'eip155:137', asset: OTHER };
    const challenge = together(
      [v2Option(), v2Option({ ...there, amount: '1' })],
      [v1Option(), v1Option({ ...there, network: 'polygon', maxAmountRequired: '2' })],
    );
    expect(faults(challenge)).toEqual(['dual-amount']);
    expect(checkOf(challenge, 'dual-amount').message).toBe(
      'The header asks 1, the body 2 atomic units, for the same asset on "eip155:137".',
    );
  });

  test('are compared within one scheme, as a ceiling is no price', () => {
    const ceiling = v2Option({ scheme: 'upto', amount: '50000', payTo: OTHER });
    expect(faults(together([ceiling], [v1Option()]))).toEqual([]);
    expect(resultOf(together([ceiling], [v1Option()]), 'dual-amount')).toBe('skip');
    const both = together([ceiling, v2Option({ amount: '1' })], [v1Option()]);
    expect(faults(both)).toEqual(['dual-amount']);
  });

  test('are not compared by what one of them has malformed', () => {
    expect(faults(together([v2Option()], [v1Option({ payTo: '' })]))).not.toContain('dual-payto');
    expect(faults(together([v2Option({ amount: '$1' })], [v1Option()]))).not.toContain('dual-amount');
  });

  test('sell one resource, whatever the query', () => {
    const asked = 'https://api.example.com/v1/weather/?city=Oslo';
    expect(faults(together([v2Option()], [v1Option({ resource: asked })]))).toEqual([]);
    expect(resultOf(readChallenge(dualResponse(v2Envelope({ resource: {} }))), 'dual-resource')).toBe('skip');
  });

  test('contradictions are errors, though each version can be paid', () => {
    const challenge = together([v2Option()], [v1Option({ payTo: OTHER })]);
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(challenge.verdict).toBe('errors');
  });

  test('have nothing to compare when one is missing or empty', () => {
    for (const id of ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset', 'dual-resource']) {
      expect(resultOf(readChallenge(v2Response()), id)).toBe('skip');
      expect(resultOf(readChallenge(v1Response()), id)).toBe('skip');
      expect(resultOf(together([], []), id)).toBe('skip');
    }
  });
});

describe('a version 2 envelope in the body', () => {
  test('without a header is unpayable, and its terms are still read', () => {
    const challenge = readChallenge(v1Response(v2Envelope()));
    expect(faults(challenge)).toEqual(['envelope-present', 'mixed-v2-in-body-only']);
    expect(challenge).toMatchObject({ version: 2, source: 'body', verdict: 'unpayable' });
    expect(challenge.options[0]?.amountUsd).toBe('0.010000');
  });

  test('beside a header nobody finds is that header’s fault', () => {
    const body = JSON.stringify(v2Envelope());
    const misnamed = v2Response(undefined, { headers: [['X-Payment-Required', encode(v2Envelope())]], body });
    expect(faults(readChallenge(misnamed))).toEqual(['envelope-present', 'v2-header-name']);
    const garbled = v2Response(undefined, { headers: [['Payment-Required', 'pay me']], body });
    expect(resultOf(readChallenge(garbled), 'mixed-v2-in-body-only')).toBe('skip');
  });

  test('under a version 1 header is swapped with it', () => {
    const challenge = readChallenge(dualResponse(v1Envelope(), v2Envelope()));
    expect(faults(challenge)).toEqual(['mixed-v1-in-header', 'mixed-v2-in-body-only']);
  });

  test.each<[string, unknown, string]>([
    [
      'repeats the header, in another order and case',
      v2Envelope({ accepts: [v2Option({ payTo: OTHER }), v2Option({ asset: BASE_USDC.toLowerCase() })] }),
      'fail info',
    ],
    ['has one wallet paid twice', v2Envelope({ accepts: [v2Option(), v2Option()] }), 'fail warning'],
    ['asks for less', v2Envelope({ accepts: [v2Option()] }), 'fail warning'],
    ['offers nothing', v2Envelope({ accepts: [] }), 'fail warning'],
    ['has no terms', { x402Version: 2, error: 'Payment required' }, 'pass'],
  ])('that %s', (_, body, result) => {
    const header = v2Envelope({ accepts: [v2Option(), v2Option({ payTo: OTHER })] });
    const challenge = readChallenge(dualResponse(header, body));
    expect(resultOf(challenge, 'mixed-v2-body-mirror')).toBe(result);
    expect(checkOf(challenge, 'mixed-v2-body-mirror').axis).toBe(
      result === 'fail info' ? 'hygiene' : 'payable',
    );
  });
});

test('a version 1 envelope in the header is an error the version 2 client gets over', () => {
  const challenge = readChallenge(v2Response(v1Envelope()));
  expect(faults(challenge)).toEqual(['mixed-v1-in-header']);
  expect(challenge).toMatchObject({
    version: 1,
    source: 'header',
    payable: { v1: false, v2: true },
    verdict: 'errors',
  });
});

test.each<[string, Bag[], string]>([
  ['a network name', [v2Option({ network: 'base' })], 'fail error'],
  ['the older amount', [v2Option({ amount: undefined, maxAmountRequired: '1' })], 'fail error'],
  ['one of both each', [v2Option({ network: 'base' }), v1Option({ network: 'eip155:1' })], 'fail error'],
  ['both amounts', [v2Option({ maxAmountRequired: '1' })], 'pass'],
  ['a network name in one of two', [v2Option({ network: 'base' }), v2Option()], 'pass'],
  ['a name nobody knows', [v2Option({ network: '__proto__' })], 'pass'],
  ['no option', [], 'skip'],
])('options of version 2 written with %s', (_, accepts, result) => {
  const challenge = readChallenge(v2Response(v2Envelope({ accepts })));
  expect(resultOf(challenge, 'mixed-v2-with-v1-names')).toBe(result);
});
