import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ACTIONS, toPolicy, type Policy } from './policy.ts';
import { GRADES, RECOMMENDATIONS } from '../statement/summary.ts';
import { BASE, PAY_TO, run, UNOBSERVED, USDC, type Change } from '../testing/decisions.ts';

describe('decide, for all facts', () => {
  const action = fc.constantFrom(...ACTIONS);
  const recommendations = fc.record(
    Object.fromEntries(RECOMMENDATIONS.map((name) => [name, action])) as Record<
      (typeof RECOMMENDATIONS)[number],
      typeof action
    >,
  );
  // Limits on earlier payments do not change the decision on the terms.
  const limits = {
    maxHostUsdPerDay: fc.constant(null),
    maxUsdPerDay: fc.constant(null),
    maxUsdTotal: fc.constant(null),
    maxPaymentsPerDay: fc.constant(null),
    repeatAfterSeconds: fc.constant(60),
    payAgainAfterSeconds: fc.constant(3_600),
    maxUndelivered: fc.constant(null),
    maxUnknownPayments: fc.constant(null),
  };
  const policy: fc.Arbitrary<Policy> = fc.record({
    recommendations,
    minGrade: fc.constantFrom('A', 'B', 'C', 'D', 'F', null),
    minScore: fc.option(fc.integer({ min: 0, max: 100 })),
    minConfidence: fc.option(fc.constantFrom(0, 0.3, 0.5, 1)),
    maxPriceUsd: fc.option(fc.constantFrom('0', '0.01', '0.05', 1)),
    maxUnknownPriceUsd: fc.option(fc.constantFrom('0', '0.01', '0.05', 1)),
    maxPriceMultiple: fc.option(fc.constantFrom(0, 1, 1.5, 3, 1000)),
    maxTemplatePriceMultiple: fc.option(fc.constantFrom(0, 1, 10, 1000)),
    payToMismatch: action,
    templatePayToMismatch: action,
    varyingPayToMismatch: action,
    payToReplaced: action,
    payToChanged: action,
    assetMismatch: action,
    tokenNotUsdc: action,
    unknown: action,
    optedOut: action,
    unverifiedUrl: action,
    unreachable: action,
    maxAgeHours: fc.option(fc.integer({ min: 0, max: 100 })),
    maxFirstPaymentUsd: fc.option(fc.constantFrom('0', '0.01')),
    lookalike: action,
    knownHosts: fc.constant([]),
    maxLifetimeSeconds: fc.option(fc.constantFrom(0, 60, 3_600)),
    schemes: fc.constantFrom(['exact'], ['exact', 'upto'], []),
    networks: fc.option(fc.constantFrom([BASE], ['eip155:137'], [])),
    maxDepositMultiple: fc.option(fc.constantFrom(0, 1, 5)),
    offers: fc.constant('verify' as const),
    ...limits,
  });
  const payment = fc.record({
    amount: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
    network: fc.constantFrom(BASE, 'base', 'eip155:137'),
    asset: fc.constantFrom(USDC, PAY_TO),
    scheme: fc.constantFrom('exact', 'upto', undefined),
    lifetimeSeconds: fc.constantFrom(60, 600, 86_400, null),
    signedAmount: fc.constantFrom('0', '50000', undefined),
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
      { ...UNOBSERVED, varies: true },
      { ...UNOBSERVED, observed: true },
      { ...UNOBSERVED, observed: true, current: true },
      { ...UNOBSERVED, observed: true, current: true, changedAt: '2026-05-20T12:00:00.000Z' },
    ),
  });
  const change: fc.Arbitrary<Required<Change>> = fc.record({
    ...{ payment, endpoint, summary, policy },
    isUrlClaimed: fc.boolean(),
  });
  const rank = (changed: Change): number => ACTIONS.indexOf(run(changed).action);

  it('never makes a milder decision on a worse summary', () => {
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

  it('never makes a milder decision on an unobserved recipient, if the policy ranks it as worse', () => {
    fc.assert(
      fc.property(change, (facts) => {
        const ordered = { ...facts.policy, payToMismatch: 'abort' } as const;
        const seen = { ...facts, policy: ordered, summary: { ...facts.summary, match: 'exact' } } as const;
        const known = { ...seen, endpoint: { ...facts.endpoint, templated: false } };
        return rank({ ...known, summary: { ...seen.summary, payTo: UNOBSERVED } }) >= rank(known);
      }),
    );
  });

  it('never makes a milder decision with a stricter policy', () => {
    const stricter = fc.constantFrom<Partial<Policy>>(
      { minGrade: 'A' },
      { minScore: 100 },
      { minConfidence: 1 },
      { maxPriceUsd: '0' },
      { maxUnknownPriceUsd: '0' },
      { maxPriceMultiple: 0 },
      { maxTemplatePriceMultiple: 0 },
      { maxAgeHours: 0 },
      ...[{ maxFirstPaymentUsd: '0' }, { maxLifetimeSeconds: 0 }, { schemes: [] }, { networks: [] }],
      { maxDepositMultiple: 0 },
      ...(
        [
          ...[
            'payToMismatch',
            'templatePayToMismatch',
            'varyingPayToMismatch',
            'payToReplaced',
            'payToChanged',
            'assetMismatch',
          ],
          ...['tokenNotUsdc', 'unknown', 'optedOut', 'unverifiedUrl', 'unreachable', 'lookalike'],
        ] as const
      ).map((name) => ({ [name]: 'abort' })),
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
        return pay(limit) !== 'abort' && pay(limit + 1n) === 'abort';
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
