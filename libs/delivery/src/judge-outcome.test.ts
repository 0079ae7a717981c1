import { PURCHASE_FAILURES } from '@touchstone/contract/shared/values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasExample, judgeOutcome, type PaidAnswer, type PurchaseFacts } from './judge-outcome.ts';

const OK: PaidAnswer = { httpStatus: 200, bodyBytes: 412, totalMs: 820, failure: null, schemaFindings: null };
const NONE: PaidAnswer = { ...OK, httpStatus: null, bodyBytes: null };
const judge = (answer: Partial<PaidAnswer> | null, facts: Partial<PurchaseFacts> = {}) =>
  judgeOutcome({ charged: true, hasExample: true, answer: answer && { ...OK, ...answer }, ...facts });

describe('the outcome of a charged purchase', () => {
  it.each<[string, Partial<PaidAnswer> | null]>([
    ['delivered', {}],
    ['delivered', { schemaFindings: [] }],
    ['delivered', { httpStatus: 201, totalMs: 20_000 }],
    ['delivered', { failure: 'too-large' }],
    ['wrong-body', { schemaFindings: ['differs'] }],
    ['wrong-body', { bodyBytes: 0 }],
    ['wrong-body', { failure: 'closed', bodyBytes: 7 }],
    ['unclear', { failure: 'invalid-response', bodyBytes: 0 }],
    ['wrong-body', { bodyBytes: 0, totalMs: 30_000 }],
    ['late', { totalMs: 20_001 }],
    ['late', { failure: 'timeout', totalMs: 60_000 }],
    ['late', { ...NONE, failure: 'timeout' }],
    ['pay-again', { httpStatus: 402 }],
    ['pay-again', { httpStatus: 402, totalMs: 50_000 }],
    ['paid-not-delivered', { httpStatus: 502 }],
    ['paid-not-delivered', { httpStatus: 302 }],
    ['paid-not-delivered', { httpStatus: 400 }],
    ['paid-not-delivered', { httpStatus: 403 }],
    ['unclear', { httpStatus: 429 }],
    ['paid-not-delivered', { ...NONE, failure: 'closed' }],
    ['paid-not-delivered', { ...NONE, failure: 'invalid-response' }],
    ['unclear', { ...NONE, failure: 'internal' }],
    ['unclear', { ...NONE, failure: 'not-sent' }],
    ['unclear', NONE],
    ['unclear', null],
  ])('is %s for %j', (outcome, answer) => {
    expect(judge(answer)).toBe(outcome);
  });

  it('is unclear if the seller rejects a request for which it declares no example', () => {
    for (const httpStatus of [400, 401, 403, 404, 422])
      expect(judge({ httpStatus }, { hasExample: false })).toBe('unclear');
    for (const httpStatus of [302, 500, 503])
      expect(judge({ httpStatus }, { hasExample: false })).toBe('paid-not-delivered');
  });
});

it.each<[string, Partial<PaidAnswer> | null]>([
  ['free', {}],
  ['free', { bodyBytes: 0 }],
  ['refused-uncharged', { httpStatus: 402 }],
  ['refused-uncharged', { httpStatus: 500 }],
  ['unclear', { ...NONE, failure: 'timeout' }],
  ['unclear', { ...NONE, failure: 'closed' }],
  ['unclear', null],
])('the outcome without a charge is %s for %j', (outcome, answer) => {
  expect(judge(answer, { charged: false })).toBe(outcome);
});

const Answer: fc.Arbitrary<PaidAnswer> = fc.record({
  httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
  bodyBytes: fc.option(fc.nat(2)),
  totalMs: fc.option(fc.nat(60_000)),
  failure: fc.option(fc.constantFrom(...PURCHASE_FAILURES)),
  schemaFindings: fc.option(fc.array(fc.string(), { maxLength: 2 })),
});

it('no answer accuses a seller that was not paid, or whose payment is unknown', () => {
  fc.assert(
    fc.property(Answer, fc.boolean(), (answer, hasExample) => {
      expect(judgeOutcome({ charged: null, hasExample, answer })).toBeNull();
      expect(['free', 'refused-uncharged', 'unclear']).toContain(
        judgeOutcome({ charged: false, hasExample, answer }),
      );
    }),
  );
});

it.each([
  [false, { url: 'https://a.example/v1?format=json', bodySha256: null }],
  [true, { url: 'https://a.example/v1?format=json&city=Oslo', bodySha256: null }],
  [true, { url: 'https://a.example/v1?format=json', bodySha256: 'ab' }],
])('a request has an example: %s for %j', (expected, request) => {
  expect(hasExample({ resource: 'https://a.example:443/v1?format=json', ...request })).toBe(expected);
});
