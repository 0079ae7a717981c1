import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { isCoherent } from './v2-offers.ts';
import {
  BASE_USDC,
  checkOf,
  PAY_TO,
  resultOf,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
const MEGA_USD = {
  network: 'eip155:4326',
  asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7',
  extra: { assetTransferMethod: 'permit2' },
};
const OTHER_WALLET = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';

function read(...changes: readonly Bag[]): Challenge {
  return readChallenge(v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) })));
}

describe('two options are ambiguous', () => {
  test.each<[string, Bag, string]>([
    ['not when they are the same', {}, 'pass'],
    ['when they ask for different amounts', { amount: '20000' }, 'fail error'],
    ['when they pay different wallets', { payTo: OTHER_WALLET }, 'fail error'],
    ['not when only the letters of a wallet differ', { payTo: PAY_TO.toLowerCase() }, 'pass'],
    [
      'when only the letters of the token differ',
      { asset: BASE_USDC.toLowerCase(), amount: '1' },
      'fail error',
    ],
    [
      'when one token is a CAIP-19 id',
      { asset: `eip155:8453/erc20:${BASE_USDC}`, amount: '1' },
      'fail error',
    ],
    ['not when amounts differ in leading zeros only', { amount: '0010000' }, 'pass'],
    ['not on another network', { ...POLYGON, amount: '20000' }, 'pass'],
    ['not by another scheme', { scheme: 'upto', amount: '20000' }, 'pass'],
    ['not by another method', { extra: { assetTransferMethod: 'permit2' }, amount: '20000' }, 'pass'],
    ['not by another flow', { extra: { paymentFlow: 'upfront' }, amount: '20000' }, 'pass'],
    [
      'when one writes out the default method',
      { extra: { assetTransferMethod: 'eip3009' }, amount: '20000' },
      'fail error',
    ],
    [
      'when one writes out the default flow',
      { extra: { paymentFlow: 'authorization' }, amount: '20000' },
      'fail error',
    ],
    ['not by a flow nobody knows', { extra: { paymentFlow: 7 }, amount: '20000' }, 'pass'],
    ['not when one is malformed', { amount: '$1' }, 'skip'],
  ])('%s', (_, change, result) => {
    expect(resultOf(read({}, change), 'v2-accepts-unambiguous')).toBe(result);
  });

  test.each<[string, Bag, Bag, string]>([
    [
      'escrow, the default of auth-capture',
      { scheme: 'auth-capture' },
      { paymentFlow: 'escrow' },
      'fail error',
    ],
    ['another flow of auth-capture', { scheme: 'auth-capture' }, { paymentFlow: 'authorization' }, 'pass'],
    ['a method upto does not default to', { scheme: 'upto' }, { assetTransferMethod: 'eip3009' }, 'pass'],
    ['a method on no EVM chain', { network: 'a21:1' }, { assetTransferMethod: 'eip3009' }, 'pass'],
  ])('by what is left out and by %s', (...[, change, extra, result]) => {
    const challenge = read(change, { ...change, extra, amount: '20000' });
    expect(resultOf(challenge, 'v2-accepts-unambiguous')).toBe(result);
  });

  test('once, however many they are', () => {
    const { message } = checkOf(
      read({}, { amount: '1' }, { amount: '2' }, POLYGON),
      'v2-accepts-unambiguous',
    );
    expect(message).toMatch(/^3 options in "0x8335.*" on "eip155:8453" by "exact" differ/);
  });
});

describe('prices are coherent', () => {
  test.each<[string, Bag, string]>([
    ['when they are the same', POLYGON, 'pass'],
    ['when they differ by 5 %', { ...POLYGON, amount: '10500' }, 'pass'],
    ['not when they differ by more', { ...POLYGON, amount: '10501' }, 'fail warning'],
    ['not when the second is lower', { ...POLYGON, amount: '9523' }, 'fail warning'],
    ['when decimals are minded', { ...MEGA_USD, amount: '10000000000000000' }, 'pass'],
    ['not when they are not', { ...MEGA_USD, amount: '10000' }, 'fail warning'],
    ['or unknown in another token', { asset: OTHER_WALLET, amount: '1' }, 'skip'],
    ['or beside the point on a test network', { network: 'eip155:84532', amount: '1' }, 'skip'],
    ['or a limit by another scheme', { ...POLYGON, scheme: 'upto', amount: '900000' }, 'skip'],
    ['or ambiguous in the first place', { amount: '20000' }, 'skip'],
  ])('%s', (_, change, result) => {
    expect(resultOf(read({}, change), 'v2-price-coherent')).toBe(result);
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
