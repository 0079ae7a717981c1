import { openSharedSandbox, setBalance, settlePayment, type SharedSandbox } from '@touchstone/common/testing';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { wrapFetchWithPayment } from 'x402-fetch';
import { readChallenge } from '../read-challenge.ts';
import {
  BASE_USDC,
  DOMAIN,
  dualResponse,
  encode,
  GATEWAY,
  OTHER_WALLET,
  PAY_TO,
  readV1,
  readV2,
  SOLANA,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const ZERO = '0x0000000000000000000000000000000000000000';
const BURN = '0x000000000000000000000000000000000000dEaD';
const ETHEREUM_USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const account = privateKeyToAccount(generatePrivateKey());
let sandbox: SharedSandbox;
beforeAll(async () => {
  sandbox = await openSharedSandbox();
  await setBalance(sandbox.chainRpcUrls['eip155:8453'], {
    wallet: account.address,
    token: BASE_USDC,
    amount: 1_000_000n,
  });
});

/** Signs a payment for an option with the version 2 client. */
async function signV2(option: JsonObject): Promise<unknown> {
  const client = new x402Client();
  registerExactEvmScheme(client, { signer: account });
  const header = encode(v2Envelope({ accepts: [option] }));
  const terms = new x402HTTPClient(client).getPaymentRequiredResponse(() => header, undefined);
  return client.createPaymentPayload(terms);
}

/** Signs a payment for an option with the version 1 client. */
async function signV1(option: JsonObject): Promise<unknown> {
  const { body } = v1Response(v1Envelope({ accepts: [option] }));
  let payment = '';
  const seller: typeof fetch = (_, init) => {
    payment = new Headers(init?.headers).get('X-PAYMENT') ?? '';
    return Promise.resolve(new Response(body, { status: payment === '' ? 402 : 200 }));
  };
  await wrapFetchWithPayment(seller, account)('https://api.example.com/');
  return JSON.parse(atob(payment));
}

/** Changes of an option, with the error reason of the facilitator; null for a payment that settles. */
const CASES: readonly (readonly [title: string, change: JsonObject, error: string | null])[] = [
  ['the right domain', {}, null],
  ['the name of USDC on a test network', { extra: { name: 'USDC', version: '2' } }, 'name_mismatch'],
  ['another version', { extra: { name: 'USD Coin', version: '1' } }, 'version_mismatch'],
  ['a timeout of 5 seconds', { maxTimeoutSeconds: 5 }, 'valid_before'],
  ['a timeout of 10 seconds', { maxTimeoutSeconds: 10 }, null],
  ['the zero address as payTo', { payTo: ZERO }, 'simulation_failed'],
  ['a version that is a number', { extra: { name: 'USD Coin', version: 2 } }, 'version_mismatch'],
  ['the domain of Circle Gateway', GATEWAY, 'name_mismatch'],
  [
    'the domain of the token, and another contract',
    { extra: { ...DOMAIN, verifyingContract: OTHER_WALLET } },
    null,
  ],
];

describe('a payment that the reference client signs for an option with', () => {
  test.each(CASES)('%s settles as predicted', async (_, change, error) => {
    const option = v2Option(change);
    const result = await settlePayment(sandbox, { payment: await signV2(option), option });
    expect(result).toEqual(error === null ? null : expect.stringContaining(error));
    expect(readV2(change)).toMatchObject({
      payable: { v2: true },
      settles: { v2: error === null },
    });
  });

  test.each([
    ...CASES,
    ['no domain', { extra: undefined }, 'missing_eip712_domain'],
    ['a payTo with a wrong checksum', { payTo: PAY_TO.replace('B', 'b') }, 'invalid_exact_evm_signature'],
    ['a payTo in lower case', { payTo: PAY_TO.toLowerCase() }, null],
  ] as const)('%s settles as predicted in version 1', async (_, change, error) => {
    const option = v1Option(change);
    const result = await settlePayment(sandbox, { payment: await signV1(option), option });
    expect(result).toEqual(error === null ? null : expect.stringContaining(error));
    expect(readV1(change)).toMatchObject({ payable: { v1: true }, settles: { v1: error === null } });
  });

  test('the amount 0 settles, so the rule on the amount only warns', async () => {
    const option = v2Option({ amount: '0' });
    expect(await settlePayment(sandbox, { payment: await signV2(option), option })).toBeNull();
    expect(readV2({ amount: '0' })).toMatchObject({ settles: { v2: true }, verdict: 'warnings' });
  });
});

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

  test('name a token of another network, in which only version 1 clients pay', () => {
    expect(readV1({ asset: ETHEREUM_USDC }).settlementFailures).toEqual({
      v1: 'asset is the USDC address on eip155:1; "eip155:8453" has no such token.',
      v2: null,
    });
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
