import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Lookup } from './decide.ts';
import type { ProposedPayment } from './decision.ts';
import { ACTIONS, DEFAULT_POLICY, GRADES, RECOMMENDATIONS, toPolicy, type Policy } from './policy.ts';
import type { Summary, SummaryEndpoint } from './summary.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const BASE = 'eip155:8453';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const PAYMENT: ProposedPayment = {
  ...{ url: 'https://a.example/weather?city=berlin', network: BASE },
  ...{ asset: USDC, amount: '10000', payTo: PAY_TO },
};
const ENDPOINT: SummaryEndpoint = {
  resource: 'https://a.example/weather',
  endpointPage: 'https://touchstone.example/endpoint/a',
  ...{ templated: false, score: 91, grade: 'A', recommendation: 'proceed', confidence: 0.9 },
  lastProbedAt: '2026-06-01T11:30:00.000Z',
  amountUsd: '0.010000',
  priceRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
  payOn: [{ network: BASE, asset: USDC, decimals: 6, canonicalUsdc: true }],
};
const SUMMARY: Summary = {
  generatedAt: '2026-06-01T12:00:00.000Z',
  requested: { resource: 'https://a.example/weather', payTo: PAY_TO.toLowerCase(), network: BASE },
  match: 'exact',
  payTo: { observed: true, current: true, replacedAt: null },
  endpoint: ENDPOINT,
};
const UNOBSERVED = { observed: false, current: false, replacedAt: null };

interface Change {
  readonly payment?: Partial<ProposedPayment>;
  readonly summary?: Partial<Summary>;
  readonly endpoint?: Partial<SummaryEndpoint>;
  readonly policy?: Partial<Policy>;
}

function run({ payment, summary, endpoint, policy }: Change = {}) {
  const changed: Summary = { ...SUMMARY, endpoint: { ...ENDPOINT, ...endpoint }, ...summary };
  return decide({
    payment: { ...PAYMENT, ...payment },
    lookup: { summary: changed, source: 'summary' },
    policy: { ...DEFAULT_POLICY, ...policy },
    now: NOW,
  });
}

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
    ['warn unknown-endpoint', { summary: { endpoint: null, match: null, payTo: null } }],
    [
      'abort unknown-endpoint',
      { summary: { endpoint: null, match: null, payTo: null }, policy: { unknown: 'abort' } },
    ],
    ['abort pay-to-mismatch', { summary: { payTo: UNOBSERVED } }],
    ['warn pay-to-mismatch', { summary: { payTo: UNOBSERVED, match: 'template' } }],
    ['warn pay-to-mismatch', { summary: { payTo: UNOBSERVED }, endpoint: { templated: true } }],
    ['abort pay-to-mismatch', { summary: { payTo: UNOBSERVED, match: 'path' } }],
    [
      'warn pay-to-replaced',
      { summary: { payTo: { ...UNOBSERVED, observed: true, replacedAt: '2026-05-01T00:00:00.000Z' } } },
    ],
    ['warn unknown-terms', { summary: { payTo: UNOBSERVED }, endpoint: { payOn: [] } }],
    ['abort min-grade', { endpoint: { grade: 'B' }, policy: { minGrade: 'A' } }],
    ['abort min-grade', { endpoint: { grade: '?' }, policy: { minGrade: 'F' } }],
    ['abort min-score', { policy: { minScore: 91.1 } }],
    ['pay', { policy: { minScore: 91, minConfidence: 0.9, minGrade: 'A' } }],
    ['abort min-confidence', { policy: { minConfidence: 0.91 } }],
    ['warn stale-probes', { endpoint: { lastProbedAt: '2026-05-31T09:59:59.999Z' } }],
    ['pay', { endpoint: { lastProbedAt: '2026-05-31T10:00:00.000Z' } }],
    ['pay', { payment: { amount: '60000' } }],
    ['abort price-multiple', { payment: { amount: '60001' } }],
    ['warn price-multiple', { payment: { amount: '60001' }, summary: { match: 'path' } }],
    ['pay', { payment: { amount: '60001' }, summary: { match: 'template' } }],
    ['abort price-multiple', { payment: { amount: '30001' }, endpoint: { priceRange30d: null } }],
    ['pay', { payment: { amount: '30001' }, endpoint: { priceRange30d: null, amountUsd: null } }],
    ['abort max-price', { policy: { maxPriceUsd: '0.009999' } }],
    ['pay', { policy: { maxPriceUsd: 0.01 } }],
  ])('decides: %s', (expected, change) => {
    expect(format(change)).toBe(expected);
  });

  it('refuses another token, also one that only the statement calls USDC', () => {
    const fake = '0x2222222222222222222222222222222222222222';
    const payOn = [{ network: BASE, asset: fake, decimals: 6, canonicalUsdc: true }];
    expect(format({ payment: { asset: fake } })).toBe('abort asset-mismatch price-unknown');
    expect(format({ payment: { asset: fake }, endpoint: { payOn } })).toBe('abort asset-mismatch');
  });

  it('refuses the canonical USDC of a network that the endpoint does not offer', () => {
    const polygon = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
    expect(format({ payment: polygon })).toBe('abort asset-mismatch');
  });

  it('relies on the statement for networks outside its own table', () => {
    const token = { network: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', asset: '31566704' };
    const payOn = [{ ...token, decimals: 6, canonicalUsdc: true }];
    expect(format({ payment: token, endpoint: { payOn } })).toBe('pay');
    expect(
      format({ payment: token, endpoint: { payOn: [{ ...token, decimals: 6, canonicalUsdc: false }] } }),
    ).toBe('abort asset-mismatch');
  });

  it('applies the price limit and the token rule to unknown endpoints and without a statement', () => {
    const unknown = { endpoint: null, match: null, payTo: null };
    expect(format({ summary: unknown, policy: { maxPriceUsd: '0.001' } })).toBe(
      'abort unknown-endpoint max-price',
    );
    const lookup: Lookup = { summary: null, failure: { code: 'unreachable', message: 'No response.' } };
    const policy = { ...DEFAULT_POLICY, unreachable: 'warn', maxPriceUsd: '0.001' } as const;
    const { action, reasons, summary, source } = decide({ payment: PAYMENT, lookup, policy, now: NOW });
    expect([action, reasons.map(({ code }) => code)]).toEqual(['abort', ['unreachable', 'max-price']]);
    expect([summary, source]).toEqual([null, null]);
  });

  it('refuses to decide by a limit that it cannot read', () => {
    expect(() => run({ policy: { maxPriceUsd: '5 cents' } })).toThrow(
      'policy.maxPriceUsd must be a decimal number',
    );
  });

  it.each(['invalid-signature', 'wrong-statement', 'stale-statement'] as const)(
    'always refuses: %s',
    (code) => {
      const lookup: Lookup = { summary: null, failure: { code, message: 'No.' } };
      const policy = { ...DEFAULT_POLICY, unreachable: 'pay' } as const;
      expect(decide({ payment: PAYMENT, lookup, policy, now: NOW }).action).toBe('abort');
    },
  );

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

describe('decide, for all facts', () => {
  const action = fc.constantFrom(...ACTIONS);
  const recommendations = fc.record(
    Object.fromEntries(RECOMMENDATIONS.map((name) => [name, action])) as Record<
      (typeof RECOMMENDATIONS)[number],
      typeof action
    >,
  );
  const policy: fc.Arbitrary<Policy> = fc.record({
    recommendations,
    minGrade: fc.constantFrom('A', 'B', 'C', 'D', 'F', null),
    minScore: fc.option(fc.integer({ min: 0, max: 100 })),
    minConfidence: fc.option(fc.constantFrom(0, 0.3, 0.5, 1)),
    maxPriceUsd: fc.option(fc.constantFrom('0', '0.01', '0.05', 1)),
    maxPriceMultiple: fc.option(fc.constantFrom(0, 1, 1.5, 3, 1000)),
    payToMismatch: action,
    payToReplaced: action,
    assetMismatch: action,
    unknown: action,
    unreachable: action,
    maxAgeHours: fc.option(fc.integer({ min: 0, max: 100 })),
  });
  const payment = fc.record({
    amount: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
    network: fc.constantFrom(BASE, 'base', 'eip155:137'),
    asset: fc.constantFrom(USDC, PAY_TO),
  });
  const endpoint = fc.record({
    score: fc.integer({ min: 0, max: 100 }),
    grade: fc.constantFrom(...GRADES),
    recommendation: fc.constantFrom(...RECOMMENDATIONS),
    confidence: fc.constantFrom(0, 0.2, 0.5, 0.9),
    templated: fc.boolean(),
    lastProbedAt: fc.constantFrom(null, '2026-06-01T11:30:00.000Z', '2026-01-01T00:00:00.000Z'),
    priceRange30d: fc.option(fc.constantFrom({ lowUsd: '0.000001', highUsd: '0.010000' })),
  });
  const summary = fc.record({
    match: fc.constantFrom('exact', 'path', 'template'),
    payTo: fc.constantFrom(
      UNOBSERVED,
      { ...UNOBSERVED, observed: true },
      { ...UNOBSERVED, observed: true, current: true },
    ),
  });
  const change: fc.Arbitrary<Required<Change>> = fc.record({ payment, endpoint, summary, policy });
  const rank = (changed: Change): number => ACTIONS.indexOf(run(changed).action);

  it('never acts more mildly on a worse summary', () => {
    const worse = fc.constantFrom<(facts: Required<Change>) => Change>(
      (facts) => ({ ...facts, endpoint: { ...facts.endpoint, score: 0 } }),
      (facts) => ({ ...facts, endpoint: { ...facts.endpoint, grade: '?' } }),
      (facts) => ({ ...facts, endpoint: { ...facts.endpoint, confidence: 0 } }),
      (facts) => ({
        ...facts,
        endpoint: {
          ...facts.endpoint,
          payOn: [{ network: 'eip155:1', asset: 'a', decimals: null, canonicalUsdc: false }],
        },
      }),
      (facts) => ({ ...facts, payment: { ...facts.payment, amount: `${facts.payment.amount ?? ''}0` } }),
      (facts) => ({
        ...facts,
        endpoint: { ...facts.endpoint, priceRange30d: { lowUsd: '0.000000', highUsd: '0.000000' } },
      }),
      (facts) => ({ ...facts, endpoint: { ...facts.endpoint, lastProbedAt: '2020-01-01T00:00:00.000Z' } }),
    );
    fc.assert(fc.property(change, worse, (facts, worsen) => rank(worsen(facts)) >= rank(facts)));
  });

  it('never acts more mildly on an unobserved recipient, by a policy that ranks it as worse', () => {
    fc.assert(
      fc.property(change, (facts) => {
        const ordered = { ...facts.policy, payToMismatch: 'abort' } as const;
        const seen = { ...facts, policy: ordered, summary: { ...facts.summary, match: 'exact' } } as const;
        const known = { ...seen, endpoint: { ...facts.endpoint, templated: false } };
        return rank({ ...known, summary: { ...seen.summary, payTo: UNOBSERVED } }) >= rank(known);
      }),
    );
  });

  it('never acts more mildly by a stricter policy', () => {
    const stricter = fc.constantFrom<Partial<Policy>>(
      { minGrade: 'A' },
      { minScore: 100 },
      { minConfidence: 1 },
      { maxPriceUsd: '0' },
      { maxPriceMultiple: 0 },
      { maxAgeHours: 0 },
      ...(['payToMismatch', 'payToReplaced', 'assetMismatch', 'unknown', 'unreachable'] as const).map(
        (name) => ({
          [name]: 'abort',
        }),
      ),
      {
        recommendations: Object.fromEntries(
          RECOMMENDATIONS.map((name) => [name, 'abort']),
        ) as Policy['recommendations'],
      },
    );
    fc.assert(
      fc.property(
        change,
        stricter,
        (facts, rules) => rank({ ...facts, policy: { ...facts.policy, ...rules } }) >= rank(facts),
      ),
    );
  });

  it('compares prices exactly, also beyond the precision of floating-point numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 60n }), (limit) => {
        const digits = limit.toString().padStart(7, '0');
        const maxPriceUsd = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
        const policy = { ...toPolicy({ maxPriceUsd }), maxPriceMultiple: null };
        const pay = (amount: bigint) => run({ payment: { amount: amount.toString() }, policy }).action;
        return pay(limit) === 'pay' && pay(limit + 1n) === 'abort';
      }),
    );
  });

  it('has an action that equals its strictest reason', () => {
    fc.assert(
      fc.property(change, (facts) => {
        const { action, reasons } = run(facts);
        const ranks = reasons.map((reason) => ACTIONS.indexOf(reason.action));
        return ACTIONS.indexOf(action) === Math.max(0, ...ranks);
      }),
    );
  });
});
