import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  BASE_USDC,
  dualResponse,
  PAY_TO,
  readV1,
  readV2,
  SOLANA,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const BURN = '0x000000000000000000000000000000000000dEaD';
const ETHEREUM_USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

describe('settlementFailures', () => {
  test('are null for a payment that settles, and without a payment', () => {
    expect(readV2({})).toMatchObject({ settles: { v1: false, v2: true }, verdict: 'pass' });
    expect(readV2({}).settlementFailures).toEqual({ v1: null, v2: null });
    const unsigned = readV2({ payTo: '' });
    expect(unsigned).toMatchObject({ payable: { v2: false }, settles: { v2: false } });
    expect(unsigned.settlementFailures).toEqual({ v1: null, v2: null });
  });

  test.each([
    [
      'a wrong domain',
      { extra: { name: 'USDC', version: '2' } },
      'extra names the token "USDC" version "2", but the contract signs as USD Coin version 2, so it rejects the payment.',
    ],
    ['a burn address', { payTo: BURN }, `payTo is "${BURN}", a burn address: the payment fails or is lost.`],
    [
      'the token as payee',
      { payTo: BASE_USDC.toLowerCase() },
      `payTo is "${BASE_USDC.toLowerCase()}", the token contract itself: the payment fails or is lost.`,
    ],
    [
      'a short timeout',
      { maxTimeoutSeconds: 5 },
      'maxTimeoutSeconds is 5, but facilitators reject payments that expire in less than 6 seconds.',
    ],
    [
      'an empty timeout',
      { maxTimeoutSeconds: '' },
      'maxTimeoutSeconds is "", but facilitators reject payments that expire in less than 6 seconds.',
    ],
    [
      'an impossible amount',
      { amount: '1000000000000000000' },
      'The amount of 1000000000000000000 atomic units is larger than the supply of USDC, so no wallet can pay it.',
    ],
  ])('name %s', (_, change, reason) => {
    const challenge = readV2(change);
    expect(challenge.settlementFailures).toEqual({ v1: null, v2: reason });
    expect(challenge).toMatchObject({ refusals: { v2: null }, settles: { v2: false }, verdict: 'unpayable' });
  });

  test('name a token of another network', () => {
    const reason = 'asset is the USDC address on eip155:1; "eip155:8453" has no such token.';
    expect(readV1({ asset: ETHEREUM_USDC }).settlementFailures).toEqual({ v1: reason, v2: reason });
  });

  test('name a token without EIP-3009, unless the option requests Permit2', () => {
    const mezo = { network: 'eip155:31612', asset: '0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186' };
    const extra = { name: 'Mezo USD', version: '1' };
    expect(readV2({ ...mezo, extra }).settlementFailures.v2).toBe(
      'The client signs an EIP-3009 authorization, which mUSD on eip155:31612 does not support.',
    );
    expect(readV2({ ...mezo, extra: { ...extra, assetTransferMethod: 'permit2' } }).settles.v2).toBe(true);
  });

  test('ignore the domain of the token for Permit2 payments, which use the domain of Permit2', () => {
    expect(readV2({ extra: { assetTransferMethod: 'permit2' } }).settles.v2).toBe(true);
  });

  test('consider a timeout as the client reads it: text is appended to the digits of the time', () => {
    expect(readV2({ maxTimeoutSeconds: '1' }).settles.v2).toBe(true);
  });

  test('do not assume anything about a token that is not in the token table', () => {
    expect(readV1({ asset: PAY_TO.toLowerCase(), payTo: ETHEREUM_USDC }).settles.v1).toBe(true);
  });

  test('name a burn address on Solana, and no deadline there', () => {
    expect(readV2({ ...SOLANA, maxTimeoutSeconds: 1 }).settles.v2).toBe(true);
    expect(
      readV2({ ...SOLANA, payTo: '1nc1nerator11111111111111111111111111111111' }).settlementFailures.v2,
    ).toContain('a burn address');
  });

  test('concern only the option that the client selects', () => {
    const wrong = v2Option({ extra: { name: 'USDC', version: '2' } });
    const offer = (...accepts: readonly JsonObject[]): Challenge =>
      readChallenge(v2Response(v2Envelope({ accepts })));
    expect(offer(wrong, v2Option()).settles.v2).toBe(false);
    expect(offer(v2Option(), wrong).settles.v2).toBe(true);
    // A buyer with a Solana wallet pays the second option.
    expect(offer(wrong, v2Option(SOLANA)).settles.v2).toBe(true);
  });

  test('are separate for each version', () => {
    const wrong = v2Envelope({ accepts: [v2Option({ extra: { name: 'USDC', version: '2' } })] });
    expect(readChallenge(dualResponse(wrong))).toMatchObject({
      payable: { v1: true, v2: true },
      settles: { v1: true, v2: false },
      verdict: 'errors',
    });
  });
});
