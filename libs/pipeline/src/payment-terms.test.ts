import { describe, expect, it } from 'vitest';
import type { Challenge, PaymentOption } from '@touchstone/x402';
import { selectMainOption } from '@touchstone/trust';
import { toPayOn, toTerms } from './payment-terms.ts';

const option = (extra: Partial<PaymentOption> = {}): PaymentOption => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0xAbC',
  assetSymbol: 'USDC',
  decimals: 6,
  amount: 10_000n,
  amountUsd: '0.010000',
  payTo: '0xDeF',
  maxTimeoutSeconds: 60,
  extra: null,
  falseUsdc: false,
  ...extra,
});

const createTerms = (version: 1 | 2, options: readonly PaymentOption[], failed: readonly string[] = []) =>
  toTerms(createChallenge(version, options, failed));

const createChallenge = (
  version: 1 | 2,
  options: readonly PaymentOption[],
  failed: readonly string[] = [],
): Challenge => {
  const checks = failed.map(
    (id) =>
      ({
        id,
        axis: 'payable',
        severity: 'error',
        result: 'fail',
        message: '',
        fix: '',
        reference: '',
      }) as const,
  );
  return {
    version,
    source: 'header',
    options,
    resourceUrl: null,
    description: null,
    mimeType: null,
    serviceName: null,
    redirectTarget: null,
    dialects: [],
    payable: { v1: false, v2: true },
    refusals: { v1: 'The body is no JSON object.', v2: null },
    settles: { v1: false, v2: true },
    settlementFailures: { v1: null, v2: null },
    clientSettings: { v1: [], v2: [] },
    neededSettings: [],
    checks,
    verdict: 'pass',
  };
};

describe('toTerms', () => {
  it('ignores the letter case of EVM addresses, not of Solana addresses', () => {
    const lower = option({ asset: '0xabc', payTo: '0xdef' });
    const keys = (terms: ReturnType<typeof createTerms>) => ({ prices: terms?.prices, payTo: terms?.payTo });
    expect(keys(createTerms(2, [option()]))).toEqual(keys(createTerms(2, [lower])));
    const solana = (payTo: string) => createTerms(2, [option({ network: 'solana:5eykt4', payTo })]);
    expect(solana('AbC')?.payTo).not.toEqual(solana('aBc')?.payTo);
  });

  it('does not depend on the order of wallets', () => {
    const both = [option({ payTo: '0x1' }), option({ payTo: '0x2' })];
    expect(createTerms(2, both)?.payTo).toEqual(createTerms(2, [...both].reverse())?.payTo);
  });

  it('compares neither timeouts, extra values nor the order of options', () => {
    const polygon = option({ network: 'eip155:137', payTo: '0x1' });
    const terms = createTerms(2, [option(), polygon]);
    const changed = { maxTimeoutSeconds: 61, extra: { nonce: '1' } };
    expect(createTerms(2, [{ ...polygon, ...changed }, option(changed)])).toEqual({
      ...terms,
      options: terms?.options.toReversed(),
    });
  });

  it('keeps amounts of any size exact', () => {
    const amount = 2n ** 200n + 1n;
    expect(createTerms(2, [option({ amount })])?.prices).toEqual({ 'eip155:8453|0xabc': amount.toString() });
  });

  it('keeps the defects of the challenge', () => {
    expect(createTerms(2, [option()])).toMatchObject({
      headerBodyMismatch: false,
      neededSettings: [],
      resourceInfoMissing: false,
    });
    expect(createTerms(2, [option()], ['dual-payto'])).toMatchObject({ headerBodyMismatch: true });
    expect(createTerms(2, [option()], ['v2-resource-url'])).toMatchObject({ resourceInfoMissing: true });
  });

  it('keeps the last redirect without its query', () => {
    const url = 'https://other.example/v2?session=1';
    const challenge = createChallenge(2, [option()]);
    const redirectTarget = { status: 307, url, isOtherOrigin: true };
    expect(toTerms({ ...challenge, redirectTarget })).toMatchObject({
      redirect: { status: 307, target: 'https://other.example/v2', otherOrigin: true },
    });
    expect(toTerms(challenge)).toMatchObject({ redirect: null });
  });

  it('returns null without a payment option', () => {
    expect(createTerms(2, [])).toBeNull();
  });

  it('handles a network named __proto__', () => {
    const terms = createTerms(2, [option({ network: '__proto__' })]);
    expect(Object.keys(terms?.payTo ?? {})).toEqual(['__proto__|0xAbC']);
    expect(Object.keys(terms?.prices ?? {})).toEqual(['__proto__|0xAbC']);
  });
});

describe('selectMainOption', () => {
  it('returns the first option with a price in USD, or else the first option', () => {
    const priced = toPayOn(option());
    const unpriced = toPayOn(option({ amountUsd: null, network: 'eip155:56' }));
    expect(selectMainOption([unpriced, priced])).toBe(priced);
    expect(selectMainOption([unpriced])).toBe(unpriced);
    expect(selectMainOption([])).toBeNull();
  });
});
