import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { MIXED_RULES } from './mixed-rules.ts';
import {
  BASE_USDC,
  getCheck,
  dualResponse,
  encode,
  PAY_TO,
  getResult,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

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

/** Returns the ids of the failed rules on mixed protocol versions and on a missing header or envelope. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function readBoth(v2: JsonObject[], v1: JsonObject[]): Challenge {
  return readChallenge(dualResponse(v2Envelope({ accepts: v2 }), v1Envelope({ accepts: v1 })));
}

describe('header and body', () => {
  test('agree in a correct response, in any letter case of the addresses', () => {
    const challenge = readChallenge(dualResponse());
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(faults(challenge)).toEqual([]);
    const lower = v1Option({ asset: BASE_USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() });
    expect(faults(readBoth([v2Option()], [lower]))).toEqual([]);
  });

  test('are paired by asset, not by position', () => {
    expect(faults(readBoth([v2Option()], [v1Option(sepolia), v1Option()]))).toEqual([]);
    expect(faults(readBoth([v2Option({ amount: '1' }), v2Option()], [v1Option()]))).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    ['payee', { payTo: OTHER }, ['dual-payto']],
    ['amount', { maxAmountRequired: '20000' }, ['dual-amount']],
    ['network', sepolia, ['dual-network']],
    ['asset', { asset: OTHER }, ['dual-asset']],
    ['resource', { resource: 'https://api.example.com/v2/weather' }, ['dual-resource']],
  ])('contradict each other by their %s', (_, change, expected) => {
    expect(faults(readBoth([v2Option()], [v1Option(change)]))).toEqual(expected);
  });

  test('contradict each other on one asset although other options agree', () => {
    const there = { network: 'eip155:137', asset: OTHER };
    const challenge = readBoth(
      [v2Option(), v2Option({ ...there, amount: '1' })],
      [v1Option(), v1Option({ ...there, network: 'polygon', maxAmountRequired: '2' })],
    );
    expect(faults(challenge)).toEqual(['dual-amount']);
    expect(getCheck(challenge, 'dual-amount').message).toBe(
      'The header requests 1 atomic units and the body 2, for the same asset on "eip155:137".',
    );
  });

  test('are compared within one scheme, because an upto maximum is not a price', () => {
    const maximum = v2Option({ scheme: 'upto', amount: '50000', payTo: OTHER });
    expect(faults(readBoth([maximum], [v1Option()]))).toEqual([]);
    expect(getResult(readBoth([maximum], [v1Option()]), 'dual-amount')).toBe('skip');
    const both = readBoth([maximum, v2Option({ amount: '1' })], [v1Option()]);
    expect(faults(both)).toEqual(['dual-amount']);
  });

  test('are not compared when amount or payee is malformed', () => {
    expect(faults(readBoth([v2Option()], [v1Option({ payTo: '' })]))).not.toContain('dual-payto');
    expect(faults(readBoth([v2Option({ amount: '$1' })], [v1Option()]))).not.toContain('dual-amount');
  });

  test('name the same resource with any query', () => {
    const requested = 'https://api.example.com/v1/weather/?city=Oslo';
    expect(faults(readBoth([v2Option()], [v1Option({ resource: requested })]))).toEqual([]);
    expect(getResult(readChallenge(dualResponse(v2Envelope({ resource: {} }))), 'dual-resource')).toBe(
      'skip',
    );
  });

  test('contradict each other with an error although each version is payable', () => {
    const challenge = readBoth([v2Option()], [v1Option({ payTo: OTHER })]);
    expect(challenge.payable).toEqual({ v1: true, v2: true });
    expect(challenge.verdict).toBe('errors');
  });

  test('are not compared when one is missing or empty', () => {
    for (const id of ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset', 'dual-resource']) {
      expect(getResult(readChallenge(v2Response()), id)).toBe('skip');
      expect(getResult(readChallenge(v1Response()), id)).toBe('skip');
      expect(getResult(readBoth([], []), id)).toBe('skip');
    }
  });
});

describe('a version 2 envelope in the body', () => {
  test('without a header is unpayable, but its options are read', () => {
    const challenge = readChallenge(v1Response(v2Envelope()));
    expect(faults(challenge)).toEqual(['envelope-present', 'mixed-v2-in-body-only']);
    expect(challenge).toMatchObject({ version: 2, source: 'body', verdict: 'unpayable' });
    expect(challenge.options[0]?.amountUsd).toBe('0.010000');
  });

  test('with a misnamed header is reported by the header rule', () => {
    const body = JSON.stringify(v2Envelope());
    const misnamed = v2Response(undefined, { headers: [['X-Payment-Required', encode(v2Envelope())]], body });
    expect(faults(readChallenge(misnamed))).toEqual(['envelope-present', 'v2-header-name']);
    const garbled = v2Response(undefined, { headers: [['Payment-Required', 'pay me']], body });
    expect(getResult(readChallenge(garbled), 'mixed-v2-in-body-only')).toBe('skip');
  });

  test('together with a version 1 header is reported as swapped', () => {
    const challenge = readChallenge(dualResponse(v1Envelope(), v2Envelope()));
    expect(faults(challenge)).toEqual(['mixed-v1-in-header', 'mixed-v2-in-body-only']);
  });

  test.each<[string, unknown, string]>([
    [
      'repeats the header, in another order and case',
      v2Envelope({ accepts: [v2Option({ payTo: OTHER }), v2Option({ asset: BASE_USDC.toLowerCase() })] }),
      'fail info',
    ],
    ['pays one wallet twice', v2Envelope({ accepts: [v2Option(), v2Option()] }), 'fail warning'],
    ['has fewer options', v2Envelope({ accepts: [v2Option()] }), 'fail warning'],
    ['has no options', v2Envelope({ accepts: [] }), 'fail warning'],
    ['has no accepts', { x402Version: 2, error: 'Payment required' }, 'pass'],
  ])('that %s', (_, body, result) => {
    const header = v2Envelope({ accepts: [v2Option(), v2Option({ payTo: OTHER })] });
    const challenge = readChallenge(dualResponse(header, body));
    expect(getResult(challenge, 'mixed-v2-body-mirror')).toBe(result);
    expect(getCheck(challenge, 'mixed-v2-body-mirror').axis).toBe(
      result === 'fail info' ? 'hygiene' : 'payable',
    );
  });
});

test('a version 1 envelope in the header is an error, but version 2 clients can pay it', () => {
  const challenge = readChallenge(v2Response(v1Envelope()));
  expect(faults(challenge)).toEqual(['mixed-v1-in-header']);
  expect(challenge).toMatchObject({
    version: 1,
    source: 'header',
    payable: { v1: false, v2: true },
    verdict: 'errors',
  });
});

test.each<[string, JsonObject[], string]>([
  ['a network name', [v2Option({ network: 'base' })], 'fail error'],
  ['maxAmountRequired', [v2Option({ amount: undefined, maxAmountRequired: '1' })], 'fail error'],
  [
    'one option each of both',
    [v2Option({ network: 'base' }), v1Option({ network: 'eip155:1' })],
    'fail error',
  ],
  ['both amounts', [v2Option({ maxAmountRequired: '1' })], 'pass'],
  ['a network name in one of two', [v2Option({ network: 'base' }), v2Option()], 'pass'],
  ['an unknown network name', [v2Option({ network: '__proto__' })], 'pass'],
  ['no option', [], 'skip'],
])('version 2 options with %s', (_, accepts, result) => {
  const challenge = readChallenge(v2Response(v2Envelope({ accepts })));
  expect(getResult(challenge, 'mixed-v2-with-v1-names')).toBe(result);
});
