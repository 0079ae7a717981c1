import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { V2_OPTION_RULES } from './option-rules.ts';
import {
  CELO,
  dualResponse,
  EURC,
  getCheck,
  getResult,
  readV2,
  SEPOLIA,
  v1Envelope,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';

/** Each example is a list of changes. Each change creates one payment option. */
testRules<readonly JsonObject[]>({
  rules: V2_OPTION_RULES,
  read: (changes) => readV2(...changes),
  overlaps: {
    'v2-no-max-amount': ['v2-amount-string'],
    'v2-network-known': ['v2-network-mainnet'],
  },
  cases: {
    'v2-scheme': {
      pass: [[{}], [{ extra: undefined }]],
      error: [[{ scheme: '' }], [{ scheme: undefined }], [{ scheme: ['exact'] }]],
    },
    'v2-scheme-known': {
      pass: [[{ scheme: 'upto' }]],
      warning: [
        [{ scheme: 'aggr_deferred' }, {}],
        [{ scheme: 'Exact' }, {}],
      ],
      error: [[{ scheme: 'deferred' }], [{ scheme: 'Exact' }], [{ scheme: ' UPTO' }]],
      skip: [[{ scheme: undefined }], [{ scheme: 7 }]],
    },
    'v2-network-caip2': {
      pass: [[{}], [{ network: 'hedera:testnet' }]],
      error: [
        ...[[{ network: 'ethereum mainnet' }], [{ network: 'mainnet' }], [{ network: 'eip155:base' }]],
        ...[[{ network: 'solana:mainnet' }], [{ network: undefined }]],
        ...[[{ network: 'EIP155:8453' }], [{ network: ':8453' }]],
      ],
      warning: [
        [{ network: 'EIP155:8453' }, {}],
        [{ network: ':8453' }, {}],
      ],
      skip: [[{ network: 'base' }]],
    },
    'v2-network-not-v1-name': {
      pass: [[{}]],
      error: [[{ network: 'base' }]],
      skip: [[{ network: 8453 }]],
    },
    'v2-network-known': {
      pass: [[{}], [{ network: 'eip155:97' }], [{ network: 'eip155:480' }]],
      info: [
        [{ network: 'eip155:999999', asset: EURC }, {}],
        [{}, { network: 'sapiom:main' }],
      ],
      'error on payable': [[{ network: 'hedera:testnet' }], [{ network: 'sapiom:main' }]],
      // The rule `v2-network-cdp` reports a list without another network.
      skip: [[{ network: 'base' }], [{ network: 'solana:mainnet' }], [{ network: 'eip155:1234567' }]],
    },
    'v2-network-cdp': {
      pass: [[CELO, {}]],
      warning: [[CELO], [{ ...CELO, amount: '1' }]],
      skip: [[{ network: 'base' }], [{ network: 'EIP155:8453' }]],
    },
    'v2-network-mainnet': {
      pass: [[{}]],
      info: [[SEPOLIA], [{ network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }]],
      skip: [[{ network: 'base-sepolia' }]],
    },
    'v2-amount-string': {
      pass: [[{}]],
      error: [
        ...[[{ amount: '0.01' }], [{ amount: '$0.01' }], [{ amount: '1e3' }], [{ amount: '9'.repeat(80) }]],
        ...[[{ amount: 10_000 }], [{ amount: null }], [{ amount: undefined }]],
        [{ amount: '1'.repeat(20) }],
      ],
      skip: [[{ amount: undefined, maxAmountRequired: '10000' }]],
    },
    'v2-amount-positive': { pass: [[{}]], warning: [[{ amount: '0' }]], skip: [[{ amount: '0.00' }]] },
    'v2-no-max-amount': {
      pass: [[{}]],
      error: [
        [{ amount: undefined, maxAmountRequired: '10000' }],
        // If several options have faults, the most severe fault is reported.
        [{ maxAmountRequired: '1' }, { maxAmountRequired: '1', amount: undefined }],
      ],
      'warning on hygiene': [[{ maxAmountRequired: '10000' }]],
    },
    'v2-unknown-keys': {
      pass: [[{}], [{ maxAmountRequired: '10000' }]],
      warning: [[{ price: '$0.01' }], [{ resource: 'https://api.example.com', outputSchema: {} }]],
    },
  },
});

describe('an option', () => {
  test('names the first three unknown members and counts the others', () => {
    const unknown = { ['__proto__x']: 1, price: '$1', currency: 'USD', recipient: 'me', resource: 'r' };
    expect(getCheck(readV2(unknown), 'v2-unknown-keys').message).toContain(
      '"__proto__x", "price", "currency" and 2 more',
    );
  });

  test('ignores inherited members', () => {
    const option: unknown = JSON.parse(
      '{"__proto__":{"scheme":"exact","network":"eip155:8453","amount":"1"}}',
    );
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [option] })));
    expect(getResult(challenge, 'v2-scheme')).toBe('fail error');
  });

  test('that is not an object is skipped', () => {
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [null, 'exact', 7] })));
    for (const { id } of V2_OPTION_RULES) expect(getResult(challenge, id)).toBe('skip');
  });
});

test('networks where CDP does not settle are counted', () => {
  expect(getCheck(readV2(CELO, CELO, CELO), 'v2-network-cdp').message).toContain('"eip155:42220" and 2 more');
});

test.each<[id: string, option: JsonObject, message: string]>([
  [
    'v2-scheme-known',
    { scheme: 'Exact' },
    'scheme is "Exact"; clients accept only the exact spelling "exact".',
  ],
  [
    'v2-network-known',
    { network: 'hedera:mainnet' },
    'network is "hedera:mainnet"; the reference clients @x402/evm and @x402/svm support no scheme on it. Other clients may.',
  ],
])('%s explains why no reference client pays', (id, option, message) => {
  const challenge = readV2(option);
  expect(challenge.verdict).toBe('unpayable');
  expect(getCheck(challenge, id)).toMatchObject({ axis: 'payable', severity: 'error', message });
});

test('networks of other clients stay remarks if a reference client pays the version 1 envelope', () => {
  const v2 = v2Envelope({ accepts: [v2Option({ network: 'hedera:mainnet' })] });
  const challenge = readChallenge(dualResponse(v2, v1Envelope()));
  expect(challenge.payable).toEqual({ v1: true, v2: false });
  expect(getResult(challenge, 'v2-network-cdp')).toBe('fail warning');
  expect(getResult(challenge, 'v2-network-known')).toBe('skip');
});
