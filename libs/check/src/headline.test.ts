import { readFailedRequest, type ChallengeResponse } from '@touchstone/x402';
import { expect, test } from 'vitest';
import type { CheckResult } from './check-endpoint.ts';
import { createHeadline } from './headline.ts';
import { createResponse, ENVELOPE, encodeTerms, OPTION, RESOURCE_URL, toResult } from './testing/results.ts';

const check = (option: Record<string, unknown>, change: Partial<ChallengeResponse> = {}): CheckResult =>
  toResult(createResponse(option, change));

test.each([
  [
    'pays',
    {},
    /^Agents pay this endpoint: \$0\.01 in USDC on Base to 0x2096…287C\. Clients of version 1 do not\.$/,
  ],
  [
    'setting',
    { amount: '2000000' },
    /^Agents with default settings do not pay \$2\.00 in USDC on Base: it is over the limit/,
  ],
  ['lost', { payTo: OPTION.asset }, /^Agents would sign a payment, but you would not get the money\. ./],
  ['refused', { network: 'base' }, /^No agent pays this endpoint\. The network has a version 1 name/],
] as const)('%s', (outcome, option, text) => {
  const headline = createHeadline(check(option));
  expect(headline).toMatchObject({ outcome, text: expect.stringMatching(text) as unknown });
  if (outcome !== 'pays') expect(headline.step).toMatch(/^[A-Z].+\.$/);
});

test.each([
  ['free', 200, /^GET returned 200 without payment terms, so agents use it for free\./],
  ['unknown', 401, /^GET returned 401, which does not show what agents would pay\./],
] as const)('%s without payment terms', (outcome, status, text) => {
  expect(createHeadline(check({}, { status, headers: [], body: 'ok' }))).toMatchObject({
    outcome,
    text: expect.stringMatching(text) as unknown,
  });
});

test.each([
  [404, 'GET returned 404: nothing is sold at this URL, or not with this method.', /^Check the URL/],
  [405, 'GET returned 405: this URL does not support this method', /^Choose the method/],
  [503, 'The server failed with status 503 before it asked for a payment', /\.$/],
] as const)('explains status %i without payment terms', (status, text, step) => {
  const headline = createHeadline(check({}, { status, headers: [], body: '{}' }));
  expect(headline).toMatchObject({ outcome: 'refused', text: expect.stringContaining(text) as unknown });
  expect(headline.step).toMatch(step);
});

test('the step shows the terms to clients before it corrects them', () => {
  const body = JSON.stringify({ ...ENVELOPE, accepts: [{ ...OPTION, amount: '0.01' }] });
  const hidden = check({}, { headers: [], body });
  expect(createHeadline(hidden).step).toContain('as base64 in the PAYMENT-REQUIRED header');
});

test('names the errors that other clients may refuse', () => {
  const header = encodeTerms({ x402Version: 2, accepts: [OPTION] });
  const { text } = createHeadline(check({}, { headers: [['payment-required', header]] }));
  expect(text).toMatch(/ Because of 1 error, some clients or facilitators may refuse\.$/);
});

test('names the reason why agents cannot reach an endpoint, and the fix', () => {
  const reason = 'the connection was refused';
  const failed = {
    ...check({}),
    ...{ status: null, response: null },
    failureReason: reason,
    challenge: readFailedRequest(RESOURCE_URL, reason),
  };
  expect(createHeadline(failed)).toMatchObject({
    outcome: 'unreachable',
    text: 'Agents cannot reach this endpoint: the connection was refused.',
    step: expect.stringMatching(/\.$/) as unknown,
  });
});

test('the step is the fix of the most serious fault', () => {
  const result = check({ maxTimeoutSeconds: 100_000, extra: { name: 'USDC', version: '2' } });
  const failed = result.challenge.checks.filter((one) => one.result === 'fail' && one.severity === 'error');
  expect(createHeadline(result).step).toBe(failed[0]?.fix);
});

test('names how many errors concern payments, if there are several', () => {
  expect(createHeadline(check({ network: 'base', amount: 0.01 })).text).toContain(
    ' In total, 2 errors concern payments.',
  );
});

test('an endpoint that clients pay learns how directories list it', () => {
  const { step } = createHeadline(check({}));
  expect(step).toMatch(/^So that directories list the endpoint: .+bazaar/);
});

test('the step after a status that does not show the terms is the hint', () => {
  const hint = 'Wait 30 seconds, and try again.';
  expect(createHeadline({ ...check({}, { status: 429, headers: [], body: '' }), hint }).step).toBe(hint);
});
