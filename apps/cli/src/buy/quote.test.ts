import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeFor, header, NETWORK, SELLER_WALLET, USDC } from '../testing/seller.ts';
import { readQuote } from './quote.ts';

const url = 'https://touchstone.example/v1/x402-trust';
const expected = { url: new URL(url), network: NETWORK, limit: 50_000n };
const read = (challenge: unknown, limit = expected.limit) =>
  readQuote({ headers: new Headers({ 'payment-required': header(challenge) }) }, { ...expected, limit });
const offered = (...options: readonly Record<string, unknown>[]) => ({
  ...challengeFor(url),
  accepts: options.flatMap((option) => challengeFor(url, option)['accepts']),
});

describe('a quote in order', () => {
  it('is read', () => {
    expect(read(challengeFor(url))).toMatchObject({
      amount: 5_000n,
      network: NETWORK,
      asset: USDC,
      payTo: SELLER_WALLET,
      resource: url,
      serviceName: 'Touchstone',
      seconds: 60,
    });
  });

  it('is the cheapest of those that are good', () => {
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

  it('may cost as much as the limit, and no atomic unit more', () => {
    expect(read(challengeFor(url, { amount: '50000' })).amount).toBe(50_000n);
    expect(() => read(challengeFor(url, { amount: '50001' }))).toThrow(
      /costs \$0\.050001, more than the limit of \$0\.05/,
    );
  });
});

describe('a quote is refused', () => {
  it.each([
    ['that is on another network', { network: 'eip155:84532' }, /on eip155:84532, not on eip155:8453/],
    ['in another token', { asset: SELLER_WALLET }, /is not the USDC of eip155:8453/],
    ['in USDC under another name', { extra: { name: 'USDC', version: '2' } }, /named wrongly/],
    ['without the name of the token', { extra: {} }, /named wrongly/],
    ['of another scheme', { scheme: 'upto' }, /payment scheme upto/],
    [
      'for another kind of signature',
      { extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } },
      /signature of permit2/,
    ],
    [
      'that is due before the work',
      { extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' } },
      /before it has done the work/,
    ],
    ['that nobody is paid by', { payTo: '0x0000000000000000000000000000000000000000' }, /no wallet/],
    ['that pays a role', { payTo: 'merchant' }, /no wallet/],
    ['whose signature would be good for years', { maxTimeoutSeconds: 99_999_999 }, /an hour is the most/],
    ['that is no whole number', { amount: '0.005' }, /no whole number/],
    ['that is negative', { amount: '-1' }, /no whole number/],
  ])('%s', (_, option, words) => {
    expect(() => read(challengeFor(url, option))).toThrow(words);
    expect(() => read(challengeFor(url, option))).toThrow(/Nothing was signed or charged/);
  });

  it.each([
    'https://touchstone.example/v1/x402-history',
    'https://elsewhere.example/v1/x402-trust',
    'http://touchstone.example/v1/x402-trust',
    'nonsense',
  ])('that is for %s', (resource) => {
    expect(() => read(challengeFor(url, {}, { url: resource }))).toThrow(/asks to be paid for .*, not for/);
  });

  it.each([
    ['without terms', { x402Version: 2, resource: { url }, accepts: [] }],
    ['of version 1', { ...challengeFor(url), x402Version: 1 }],
    ['that is a list', []],
    ['that is nothing', null],
  ])('%s', (_, challenge) => {
    expect(() => read(challenge)).toThrow(/not those of x402 version 2/);
  });

  it.each([{}, { 'payment-required': '%%%' }, { 'payment-required': 'AAAA' }])(
    'that cannot be read: %j',
    (headers) => {
      expect(() => readQuote({ headers: new Headers(headers) }, expected)).toThrow(
        /missing or cannot be read/,
      );
    },
  );

  it('or is good in every respect, whatever is asked', () => {
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
          const { amount, network, asset, payTo, seconds } = read(offered(...options));
          expect(amount).toBeLessThanOrEqual(expected.limit);
          expect([network, asset.toLowerCase(), payTo]).toEqual([NETWORK, USDC.toLowerCase(), SELLER_WALLET]);
          expect(seconds).toBeGreaterThanOrEqual(1);
          expect(seconds).toBeLessThanOrEqual(3_600);
        } catch (error) {
          expect(error).toHaveProperty('name', 'CliError');
        }
      }),
    );
  });
});
