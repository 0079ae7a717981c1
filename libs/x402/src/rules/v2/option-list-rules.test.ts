import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { isCoherent } from './option-list-rules.ts';
import {
  BASE_USDC,
  getCheck,
  PAY_TO,
  getResult,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
const MEGA_USD = {
  network: 'eip155:4326',
  asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7',
  extra: { assetTransferMethod: 'permit2' },
};
const OTHER_WALLET = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';

function read(...changes: readonly JsonObject[]): Challenge {
  return readChallenge(v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) })));
}

describe('two options are ambiguous', () => {
  test.each<[string, JsonObject, string]>([
    ['not when they are the same', {}, 'pass'],
    ['when amounts differ', { amount: '20000' }, 'fail error'],
    ['when payees differ', { payTo: OTHER_WALLET }, 'fail error'],
    ['not when only the letter case of a payee differs', { payTo: PAY_TO.toLowerCase() }, 'pass'],
    [
      'when only the letter case of the token differs',
      { asset: BASE_USDC.toLowerCase(), amount: '1' },
      'fail error',
    ],
    [
      'when one token is a CAIP-19 id',
      { asset: `eip155:8453/erc20:${BASE_USDC}`, amount: '1' },
      'fail error',
    ],
    ['not when amounts differ in leading zeros only', { amount: '0010000' }, 'pass'],
    ['not on different networks', { ...POLYGON, amount: '20000' }, 'pass'],
    ['not with different schemes', { scheme: 'upto', amount: '20000' }, 'pass'],
    [
      'not with different transfer methods',
      { extra: { assetTransferMethod: 'permit2' }, amount: '20000' },
      'pass',
    ],
    ['not with different payment flows', { extra: { paymentFlow: 'upfront' }, amount: '20000' }, 'pass'],
    [
      'when one names the default transfer method',
      { extra: { assetTransferMethod: 'eip3009' }, amount: '20000' },
      'fail error',
    ],
    [
      'when one names the default payment flow',
      { extra: { paymentFlow: 'authorization' }, amount: '20000' },
      'fail error',
    ],
    ['not with an unknown payment flow', { extra: { paymentFlow: 7 }, amount: '20000' }, 'pass'],
    ['never when one is malformed', { amount: '$1' }, 'skip'],
  ])('%s', (_, change, result) => {
    expect(getResult(read({}, change), 'v2-accepts-unambiguous')).toBe(result);
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'escrow, the default of auth-capture',
      { scheme: 'auth-capture' },
      { paymentFlow: 'escrow' },
      'fail error',
    ],
    ['another flow of auth-capture', { scheme: 'auth-capture' }, { paymentFlow: 'authorization' }, 'pass'],
    [
      'a transfer method that is not the default of upto',
      { scheme: 'upto' },
      { assetTransferMethod: 'eip3009' },
      'pass',
    ],
    [
      'a transfer method outside EVM networks',
      { network: 'a21:1' },
      { assetTransferMethod: 'eip3009' },
      'pass',
    ],
  ])('with a missing value and %s', (...[, change, extra, result]) => {
    const challenge = read(change, { ...change, extra, amount: '20000' });
    expect(getResult(challenge, 'v2-accepts-unambiguous')).toBe(result);
  });

  test('and are one finding for any number of options', () => {
    const { message } = getCheck(
      read({}, { amount: '1' }, { amount: '2' }, POLYGON),
      'v2-accepts-unambiguous',
    );
    expect(message).toMatch(/^3 options for "0x8335.*" on "eip155:8453" with scheme "exact" differ/);
  });
});

describe('prices are coherent', () => {
  test.each<[string, JsonObject, string]>([
    ['when they are equal', POLYGON, 'pass'],
    ['when they differ by 5 %', { ...POLYGON, amount: '10500' }, 'pass'],
    ['not when they differ by more', { ...POLYGON, amount: '10501' }, 'fail warning'],
    ['not when the second is lower', { ...POLYGON, amount: '9523' }, 'fail warning'],
    ['when they are equal after applying the decimals', { ...MEGA_USD, amount: '10000000000000000' }, 'pass'],
    [
      'not when they are equal only before applying the decimals',
      { ...MEGA_USD, amount: '10000' },
      'fail warning',
    ],
    ['or skipped for an unknown token', { asset: OTHER_WALLET, amount: '1' }, 'skip'],
    ['or skipped on a test network', { network: 'eip155:84532', amount: '1' }, 'skip'],
    [
      'or skipped for the maximum of another scheme',
      { ...POLYGON, scheme: 'upto', amount: '900000' },
      'skip',
    ],
    ['or skipped for ambiguous options', { amount: '20000' }, 'skip'],
  ])('%s', (_, change, result) => {
    expect(getResult(read({}, change), 'v2-price-coherent')).toBe(result);
  });

  test('exactly when the highest is at most 1.05 times the lowest', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 90n }), { minLength: 1 }), (prices) => {
        const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
        const [lowest = 0n, highest = 0n] = [sorted[0], sorted.at(-1)];
        expect(isCoherent(prices)).toBe(highest * 20n <= lowest * 21n);
        expect(isCoherent(prices.toReversed())).toBe(isCoherent(prices));
      }),
    );
  });
});
