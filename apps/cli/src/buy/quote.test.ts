import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChallenge, encodeHeader, NETWORK, SELLER_WALLET, USDC } from '../testing/seller.ts';
import { readQuote } from './quote.ts';

const url = 'https://touchstone.example/v1/x402-trust';
const expected = { url: new URL(url), networks: [NETWORK], limit: 50_000n };
const read = (challenge: unknown, limit = expected.limit) =>
  readQuote(
    { headers: new Headers({ 'payment-required': encodeHeader(challenge) }) },
    { ...expected, limit },
  );
const offered = (...options: readonly Record<string, unknown>[]) => ({
  ...createChallenge(url),
  accepts: options.flatMap((option) => createChallenge(url, option)['accepts']),
});

describe('a valid quote', () => {
  it('is read', () => {
    expect(read(createChallenge(url))).toMatchObject({
      amount: 5_000n,
      accepted: { network: NETWORK, asset: USDC, payTo: SELLER_WALLET },
      resource: { serviceName: 'Touchstone' },
    });
  });

  it('has the cheapest of the valid payment options', () => {
    const quote = read(
      offered(
        { amount: '9000' },
        { amount: '7000' },
        { amount: '10', network: 'eip155:1' },
        { amount: '8000' },
      ),
    );
    expect(quote.amount).toBe(7_000n);
  });

  it('costs at most the limit', () => {
    expect(read(createChallenge(url, { amount: '50000' })).amount).toBe(50_000n);
    expect(() => read(createChallenge(url, { amount: '50001' }))).toThrow(
      /price of \$0\.050001 is above the limit of \$0\.05/,
    );
  });
});

describe('a quote is rejected', () => {
  it.each([
    ['on another network', { network: 'eip155:84532' }, /network is eip155:84532; expected eip155:8453/],
    ['in another token', { asset: SELLER_WALLET }, /is not the USDC of eip155:8453/],
    [
      'in USDC under another name',
      { extra: { name: 'USDC', version: '2' } },
      /EIP-712 name or version of the token is wrong/,
    ],
    ['without the name of the token', { extra: {} }, /EIP-712 name or version of the token is wrong/],
    ['of another scheme', { scheme: 'upto' }, /payment scheme is upto/],
    [
      'with another transfer method',
      { extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } },
      /transfer method is permit2/,
    ],
    [
      'with payment before the work',
      { extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' } },
      /requires payment before the work/,
    ],
    [
      'with the zero address as payTo',
      { payTo: '0x0000000000000000000000000000000000000000' },
      /is not a wallet address/,
    ],
    ['with a name as payTo', { payTo: 'merchant' }, /is not a wallet address/],
    ['with a signature that is valid for years', { maxTimeoutSeconds: 99_999_999 }, /the maximum is 3600/],
    ['with a fraction as amount', { amount: '0.005' }, /not a whole number/],
    ['with a negative amount', { amount: '-1' }, /not a whole number/],
  ])('%s', (_, option, reason) => {
    expect(() => read(createChallenge(url, option))).toThrow(reason);
    expect(() => read(createChallenge(url, option))).toThrow(/Nothing was signed or charged/);
  });

  it.each([
    'https://touchstone.example/v1/x402-history',
    'https://elsewhere.example/v1/x402-trust',
    'http://touchstone.example/v1/x402-trust',
    'nonsense',
  ])('for the URL %s', (resource) => {
    expect(() => read(createChallenge(url, {}, { url: resource }))).toThrow(/is for .*; expected/);
  });

  it.each([
    ['without payment options', { x402Version: 2, resource: { url }, accepts: [] }],
    ['of x402 version 1', { ...createChallenge(url), x402Version: 1 }],
    ['with a list as challenge', []],
    ['with null as challenge', null],
  ])('%s', (_, challenge) => {
    expect(() => read(challenge)).toThrow(/not valid for x402 version 2/);
  });

  it.each([{}, { 'payment-required': '%%%' }, { 'payment-required': 'AAAA' }])(
    'without a readable header: %j',
    (headers) => {
      expect(() => readQuote({ headers: new Headers(headers) }, expected)).toThrow(
        /missing or cannot be read/,
      );
    },
  );

  it('unless it fulfils every condition, for random offers', () => {
    const option = fc.record(
      {
        scheme: fc.constantFrom('exact', 'upto'),
        network: fc.constantFrom(NETWORK, 'eip155:137', 'solana:1'),
        amount: fc.oneof(fc.bigInt(0n, 10n ** 20n).map(String), fc.string()),
        asset: fc.constantFrom(USDC, USDC.toLowerCase(), SELLER_WALLET),
        payTo: fc.constantFrom(SELLER_WALLET, '0x', 'merchant'),
        maxTimeoutSeconds: fc.oneof(fc.integer(), fc.double()),
        extra: fc.record({ name: fc.constantFrom('USD Coin', 'USDC'), version: fc.constantFrom('1', '2') }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(option, { maxLength: 4 }), (options) => {
        try {
          const { amount, accepted } = read(offered(...options));
          expect(amount).toBeLessThanOrEqual(expected.limit);
          expect([accepted.network, accepted.asset.toLowerCase(), accepted.payTo]).toEqual([
            NETWORK,
            USDC.toLowerCase(),
            SELLER_WALLET,
          ]);
          expect(accepted.maxTimeoutSeconds).toBeGreaterThanOrEqual(1);
          expect(accepted.maxTimeoutSeconds).toBeLessThanOrEqual(3_600);
        } catch (error) {
          expect(error).toHaveProperty('name', 'CliError');
        }
      }),
    );
  });
});
