import { describe, expect, test } from 'vitest';
import {
  BASE_USDC,
  checkOf,
  failures,
  PAY_TO,
  readV2,
  resultOf,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from './test-fixtures.ts';
import { readChallenge } from './read-challenge.ts';

const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
};

describe('an option', () => {
  test.each<[string, Bag, string[]]>([
    ['of the textbook', {}, []],
    ['on Solana', { ...SOLANA, extra: { feePayer: SOLANA.payTo } }, []],
    ['without a scheme', { scheme: undefined }, ['v2-scheme']],
    ['of another scheme, paid to a role', { scheme: 'upto', payTo: 'merchant' }, []],
    ['on a network of version 1', { network: 'base' }, ['v2-network-not-v1-name']],
    ['on no network', { network: undefined }, ['v2-network-caip2']],
    ['on a network that is only like CAIP-2', { network: 'EIP155:8453' }, ['v2-network-caip2']],
    ['of an amount that is a number', { amount: 10_000 }, ['v2-amount-string']],
    ['of an amount in dollars', { amount: '$0.01' }, ['v2-amount-string']],
    ['of an amount with a point', { amount: '0.01' }, ['v2-amount-string']],
    ['of nothing', { amount: '0' }, ['v2-amount-positive']],
    [
      'with the amount under its old name',
      { amount: undefined, maxAmountRequired: '1' },
      ['v2-no-max-amount'],
    ],
    ['with the amount under both names', { maxAmountRequired: '10000' }, ['v2-no-max-amount']],
    ['in a symbol', { asset: 'USDC' }, ['v2-asset-shape']],
    ['in no asset', { asset: undefined }, ['v2-asset-shape']],
    ['in a CAIP-19 id', { asset: `eip155:8453/erc20:${BASE_USDC}` }, ['v2-asset-shape']],
    ['in another token', { asset: PAY_TO }, ['v2-asset-default']],
    ['paid to an EVM address on Solana', { ...SOLANA, payTo: PAY_TO }, ['v2-payto-shape']],
    ['paid to nobody', { payTo: '' }, ['v2-payto-shape']],
    ['paid to the zero address', { payTo: `0x${'0'.repeat(40)}` }, ['v2-payto-burn']],
    ['paid to the dead address', { payTo: `0x${'0'.repeat(36)}dEaD` }, ['v2-payto-burn']],
    ['with a timeout as text', { maxTimeoutSeconds: '60' }, ['v2-timeout-number']],
    ['with a timeout of zero', { maxTimeoutSeconds: 0 }, ['v2-timeout-number']],
    ['without a domain', { extra: undefined }, ['v2-eip712-domain']],
    ['with half a domain', { extra: { name: 'USD Coin' } }, ['v2-eip712-domain']],
    ['by permit2, which needs none', { extra: { assetTransferMethod: 'permit2' } }, []],
    [
      'with the domain of the test network',
      { extra: { name: 'USDC', version: '2' } },
      ['v2-eip712-domain-value'],
    ],
    ['with another version', { extra: { name: 'USD Coin', version: '1' } }, ['v2-eip712-domain-value']],
  ])('%s', (_, change, expected) => {
    expect(failures(readV2(change))).toEqual(expected);
  });

  test.each<[string, Bag, string]>([
    ['v2-network-caip2', { network: 'EIP155:8453' }, 'fail warning'],
    ['v2-network-caip2', { network: 'mainnet' }, 'fail error'],
    ['v2-network-caip2', { network: 'base' }, 'skip'],
    ['v2-asset-shape', { asset: `eip155:8453/erc20:${BASE_USDC}` }, 'fail warning'],
    ['v2-asset-shape', { network: 'hedera:testnet', asset: '0.0.429274' }, 'skip'],
    ['v2-no-max-amount', { maxAmountRequired: '10000' }, 'fail warning'],
    ['v2-no-max-amount', { maxAmountRequired: '10000', amount: undefined }, 'fail error'],
    ['v2-asset-default', { scheme: 'upto' }, 'skip'],
    ['v2-eip712-domain', { scheme: 'upto' }, 'skip'],
    ['v2-eip712-domain-value', { asset: PAY_TO }, 'skip'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(resultOf(readV2(change), id)).toBe(result);
  });
});

describe('many options', () => {
  test('with one fault make one finding that counts them', () => {
    const accepts = Array.from({ length: 40 }, () => v2Option({ extra: {} }));
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [v2Option(), ...accepts] })));
    expect(failures(challenge)).toEqual(['http-challenge-size', 'v2-eip712-domain']);
    expect(checkOf(challenge, 'v2-eip712-domain').message).toContain('(40 of 41 options)');
  });

  test('are reported by the gravest fault', () => {
    const accepts = [
      v2Option({ maxAmountRequired: '1' }),
      v2Option({ maxAmountRequired: '1', amount: undefined }),
    ];
    const challenge = readChallenge(v2Response(v2Envelope({ accepts })));
    expect(resultOf(challenge, 'v2-no-max-amount')).toBe('fail error');
  });

  test('are looked at up to the sixty-fourth', () => {
    const accepts = Array.from({ length: 64 }, () => ({ network: 'eip155:8453' }));
    const challenge = readChallenge(
      v2Response(v2Envelope({ accepts: [...accepts, v2Option({ payTo: '0xbad' })] })),
    );
    expect(challenge.options).toHaveLength(64);
    expect(checkOf(challenge, 'v2-payto-shape').message).not.toContain('0xbad');
  });
});

test('the domain of the test network is right there', () => {
  const sepolia = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
  expect(failures(readV2({ ...sepolia, extra: { name: 'USDC', version: '2' } }))).toEqual([]);
  expect(failures(readV2({ ...sepolia, extra: { name: 'USD Coin', version: '2' } }))).toEqual([
    'v2-eip712-domain-value',
  ]);
});
