import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { Lookup } from '../statement/lookup.ts';
import type { ProposedPayment } from '../payment-terms.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';
import { BASE, NOW, PAY_TO, PAYMENT, run, UNOBSERVED, USDC, type Change } from '../testing/decisions.ts';

/** Part of a summary on an endpoint that the service does not know. */
const UNKNOWN = {
  ...{ endpoint: null, match: null, payTo: null },
  unknownHost: { knownEndpoints: 2, resembles: null },
};
const OPTED_OUT = { ...UNKNOWN, unknownHost: null, optedOutAt: '2026-10-01T00:00:00.000Z' };
/** Observations of a recipient that replaced another one. */
const CHANGED = {
  ...{ ...UNOBSERVED, observed: true, current: true },
  ...{ changedAt: '2026-05-20T12:00:00.000Z', before: '0x1111…1111' },
};
/** Observations of a recipient at an endpoint with one recipient per request. */
const VARYING = { ...UNOBSERVED, varies: true };
const FAKE_USDC = '0x2222222222222222222222222222222222222222';
const ALGORAND_USDC = { network: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', asset: '31566704' };

/** Returns the action and the codes of a decision as text. */
const format = (change?: Change): string => {
  const { action, reasons } = run(change);
  return [action, ...reasons.map(({ code }) => code)].join(' ');
};

describe('decide', () => {
  it('pays a recommended endpoint on the observed terms, without a reason', () => {
    expect(run()).toMatchObject({ action: 'pay', reasons: [], source: 'summary', payment: PAYMENT });
    expect(
      format({ payment: { network: 'base', asset: USDC.toLowerCase(), payTo: PAY_TO.toLowerCase() } }),
    ).toBe('pay');
  });

  it.each<[string, Change]>([
    ['warn recommendation', { endpoint: { recommendation: 'caution' } }],
    ['abort recommendation', { endpoint: { recommendation: 'avoid' } }],
    ['pay', { endpoint: { recommendation: 'parameterize' } }],
    ['warn unknown-endpoint', { summary: UNKNOWN }],
    ['abort unknown-endpoint', { summary: UNKNOWN, policy: { unknown: 'abort' } }],
    ['abort opted-out', { summary: OPTED_OUT }],
    ['warn opted-out', { summary: OPTED_OUT, policy: { optedOut: 'warn' } }],
    ['abort opted-out', { summary: OPTED_OUT, policy: { optedOut: 'pay' }, isUrlClaimed: true }],
    ['abort opted-out max-unknown-price', { payment: { amount: '100001' }, summary: OPTED_OUT }],
    ['abort pay-to-mismatch', { summary: { payTo: UNOBSERVED } }],
    ['warn pay-to-mismatch', { summary: { payTo: UNOBSERVED, match: 'template' } }],
    ['warn pay-to-mismatch', { summary: { payTo: UNOBSERVED }, endpoint: { templated: true } }],
    ['abort pay-to-mismatch', { summary: { payTo: UNOBSERVED, match: 'path' } }],
    ['abort pay-to-replaced', { summary: { payTo: { ...UNOBSERVED, observed: true } } }],
    ['warn unknown-terms', { summary: { payTo: UNOBSERVED }, endpoint: { payOn: [] } }],
    ['warn pay-to-replaced', { summary: { match: 'template', payTo: { ...UNOBSERVED, observed: true } } }],
    ['pay', { summary: { payTo: UNOBSERVED, match: 'template' }, policy: { templatePayToMismatch: 'pay' } }],
    ['warn pay-to-mismatch', { summary: { payTo: VARYING } }],
    ['warn pay-to-replaced', { summary: { payTo: { ...VARYING, observed: true } } }],
    ['abort pay-to-mismatch', { summary: { payTo: VARYING }, isUrlClaimed: true }],
    ['abort pay-to-replaced', { summary: { payTo: { ...VARYING, observed: true } }, isUrlClaimed: true }],
    ['abort pay-to-mismatch', { summary: { payTo: VARYING }, policy: { varyingPayToMismatch: 'abort' } }],
    [
      'abort pay-to-mismatch',
      { summary: { payTo: VARYING, match: 'template' }, policy: { templatePayToMismatch: 'abort' } },
    ],
    ['warn pay-to-changed', { summary: { payTo: CHANGED } }],
    ['abort pay-to-changed', { summary: { payTo: CHANGED }, policy: { payToChanged: 'abort' } }],
    ['pay', { summary: { payTo: CHANGED }, endpoint: { templated: true } }],
    ['abort min-grade', { endpoint: { grade: 'B' }, policy: { minGrade: 'A' } }],
    ['abort min-grade', { endpoint: { grade: '?' }, policy: { minGrade: 'F' } }],
    ['abort min-score', { policy: { minScore: 91.1 } }],
    ['pay', { policy: { minScore: 91, minConfidence: 0.9, minGrade: 'A' } }],
    ['abort min-confidence', { policy: { minConfidence: 0.91 } }],
    ['warn stale-probes', { endpoint: { lastProbedAt: '2026-05-31T09:59:59.999Z' } }],
    ['warn stale-probes', { endpoint: { lastProbedAt: null } }],
    ['pay', { endpoint: { lastProbedAt: null }, policy: { maxAgeHours: null } }],
    ['pay', { endpoint: { lastProbedAt: '2026-05-31T10:00:00.000Z' } }],
    ['pay', { payment: { amount: '20000' } }],
    ['warn price-above-range', { payment: { amount: '20001' } }],
    ['warn price-above-range', { payment: { amount: '40000' } }],
    ['abort price-multiple', { payment: { amount: '40001' } }],
    ['warn price-above-range', { payment: { amount: '40001' }, policy: { maxPriceMultiple: null } }],
    ['warn price-above-range', { payment: { amount: '20000' }, endpoint: { priceRange30d: null } }],
    ['abort price-multiple', { payment: { amount: '20001' }, endpoint: { priceRange30d: null } }],
    ['pay', { payment: { amount: '20000' }, summary: { match: 'template' } }],
    ['warn price-above-range', { payment: { amount: '20001' }, summary: { match: 'template' } }],
    ['warn price-above-range', { payment: { amount: '200000' }, endpoint: { templated: true } }],
    ['abort price-multiple', { payment: { amount: '200001' }, endpoint: { templated: true } }],
    ['warn price-above-range', { payment: { amount: '200000' }, summary: { match: 'path' } }],
    ['abort price-multiple', { payment: { amount: '200001' }, summary: { match: 'path' } }],
    [
      'warn price-above-range',
      {
        payment: { amount: '1000000000' },
        summary: { match: 'template' },
        policy: { maxTemplatePriceMultiple: null },
      },
    ],
    [
      'abort price-multiple',
      { payment: { amount: '100001' }, summary: { match: 'template' }, endpoint: { priceRange30d: null } },
    ],
    [
      'warn unknown-terms',
      { payment: { amount: '100000' }, endpoint: { priceRange30d: null, amountUsd: null } },
    ],
    [
      'abort max-unknown-price unknown-terms',
      { payment: { amount: '100001' }, endpoint: { priceRange30d: null, amountUsd: null } },
    ],
    ['warn unknown-endpoint', { payment: { amount: '100000' }, summary: UNKNOWN }],
    ['abort unknown-endpoint max-unknown-price', { payment: { amount: '100001' }, summary: UNKNOWN }],
    [
      'warn unknown-endpoint',
      {
        payment: { amount: '100001' },
        summary: UNKNOWN,
        policy: { maxUnknownPriceUsd: null },
      },
    ],
    ...(['free', 'unverified'] as const).map((recommendation): [string, Change] => [
      'abort recommendation max-unknown-price',
      {
        payment: { amount: '100001' },
        endpoint: { recommendation, priceRange30d: { lowUsd: '1', highUsd: '1' } },
      },
    ]),
    [
      'pay',
      {
        payment: { amount: '100001' },
        endpoint: { priceRange30d: { lowUsd: '0.01', highUsd: '1' } },
      },
    ],
    // The canonical USDC of a network that the endpoint does not offer.
    [
      'abort asset-mismatch',
      { payment: { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' } },
    ],
    ['abort max-price', { policy: { maxPriceUsd: '0.009999' } }],
    ['pay', { policy: { maxPriceUsd: 0.01 } }],
  ])('decides: %s', (expected, change) => {
    expect(format(change)).toBe(expected);
  });

  it.each([
    ['0x1111…1111', 'replaced 0x1111…1111'],
    [null, 'was added'],
  ])('names the replaced recipient and the time of the change: %s', (before, change) => {
    const { reasons } = run({ summary: { payTo: { ...CHANGED, before } } });
    expect(reasons[0]?.message).toBe(
      `The recipient ${PAY_TO.toLowerCase()} ${change} at 2026-05-20T12:00:00.000Z. Confirm the change with the seller.`,
    );
  });

  it('refuses another token, also one that only the statement calls USDC', () => {
    const payOn = [{ network: BASE, asset: FAKE_USDC, decimals: 6, canonicalUsdc: true }];
    expect(format({ payment: { asset: FAKE_USDC } })).toBe(
      'abort token-not-usdc asset-mismatch price-unknown',
    );
    expect(format({ payment: { asset: FAKE_USDC }, endpoint: { payOn } })).toBe('abort token-not-usdc');
  });

  it('relies on the statement for networks outside its own table', () => {
    const payOn = [{ ...ALGORAND_USDC, decimals: 6, canonicalUsdc: true }];
    expect(format({ payment: ALGORAND_USDC, endpoint: { payOn } })).toBe('pay');
    expect(
      format({
        payment: ALGORAND_USDC,
        endpoint: { payOn: [{ ...ALGORAND_USDC, decimals: 6, canonicalUsdc: false }] },
      }),
    ).toBe('abort token-not-usdc');
  });

  it('still refuses a token that the endpoint does not offer if another token than USDC is allowed', () => {
    const policy = { tokenNotUsdc: 'pay', maxPriceMultiple: null } as const;
    expect(format({ payment: { asset: FAKE_USDC }, policy })).toMatch(/^abort asset-mismatch/);
  });

  it('applies the price limit and the token rule to unknown endpoints and without a statement', () => {
    expect(format({ summary: UNKNOWN, policy: { maxPriceUsd: '0.001' } })).toBe(
      'abort unknown-endpoint max-price',
    );
    const anyToken = { tokenNotUsdc: 'pay' } as const;
    expect(format({ payment: ALGORAND_USDC, summary: UNKNOWN, policy: anyToken })).toBe(
      'abort unknown-endpoint price-unknown',
    );
    const lookup: Lookup = { summary: null, failure: { code: 'unreachable', message: 'No response.' } };
    const policy = { ...DEFAULT_POLICY, unreachable: 'warn', maxPriceUsd: '0.001' } as const;
    const { action, reasons, summary, source } = decide({ payment: PAYMENT, lookup, policy, now: NOW });
    expect([action, reasons.map(({ code }) => code)]).toEqual(['abort', ['unreachable', 'max-price']]);
    expect([summary, source]).toEqual([null, null]);
  });

  it('refuses a URL that only the seller claims, unless a recipient confirms it', () => {
    const isUrlClaimed = true;
    expect(format({ isUrlClaimed })).toBe('pay');
    expect(format({ summary: UNKNOWN, isUrlClaimed })).toBe('abort unverified-url');
    const template = { match: 'template', payTo: UNOBSERVED } as const;
    expect(format({ summary: template, isUrlClaimed })).toBe('abort pay-to-mismatch');
    const noTerms = { summary: { payTo: UNOBSERVED }, endpoint: { payOn: [] } };
    expect(format({ ...noTerms, isUrlClaimed })).toBe('abort unknown-terms');
    const lenient = { unverifiedUrl: 'warn' } as const;
    expect(format({ summary: UNKNOWN, isUrlClaimed, policy: lenient })).toBe('warn unverified-url');
    expect(format({ summary: UNKNOWN, isUrlClaimed, policy: { ...lenient, unknown: 'abort' } })).toBe(
      'abort unverified-url',
    );
  });

  it('treats a URL that the service does not accept like an unknown endpoint', () => {
    const lookup: Lookup = { summary: null, failure: { code: 'not-accepted', message: 'No.' } };
    let url = '';
    const judge = (amount: string, policy: Partial<Policy> = {}, isUrlClaimed = false) => {
      const facts = { lookup, policy: { ...DEFAULT_POLICY, ...policy }, now: NOW, isUrlClaimed };
      const { action, reasons } = decide({ payment: { ...PAYMENT, url, amount }, ...facts });
      return [action, ...reasons.map(({ code }) => code)].join(' ');
    };
    for (url of ['http://localhost:3000/a', 'https://10.0.0.1/', 'http://[::1]/', 'https://nas.local./a'])
      expect(judge('100000')).toBe('warn not-accepted');
    expect(judge('100001')).toBe('abort not-accepted max-unknown-price');
    expect(judge('1', { unknown: 'abort' })).toBe('abort not-accepted');
    expect(judge('1', {}, true)).toBe('abort not-accepted');
    // The response is not signed, so for a public URL it must not replace a signed statement.
    url = 'https://api.example.com/weather';
    expect(judge('1')).toBe('abort not-accepted');
    expect(judge('1', { unreachable: 'warn' })).toBe('warn not-accepted');
  });

  it('refuses to decide by a limit that it cannot read', () => {
    expect(() => run({ policy: { maxPriceUsd: '5 cents' } })).toThrow(
      'policy.maxPriceUsd must be a decimal number',
    );
  });

  it.each<Partial<ProposedPayment>>([
    { amount: '0x2710' },
    { amount: '1e4' },
    { amount: ' 10000' },
    { amount: '-1' },
    { amount: '' },
    { amount: '9'.repeat(79) },
    { url: '/weather' },
    { url: 'javascript:alert(1)' },
    { payTo: '' },
    { payTo: `${PAY_TO}\u202e` },
    { network: 'base\n' },
    { asset: 'a'.repeat(129) },
  ])('refuses malformed terms: %j', (payment) => {
    expect(format({ payment })).toBe('abort invalid-payment');
  });

  it('contains no unprintable character of a seller in its messages', () => {
    const { reasons } = run({ payment: { payTo: '0x\u001b[2J' } });
    expect(reasons.map(({ message }) => message).join(' ')).toMatch(/^[ -~]+$/);
  });
});
