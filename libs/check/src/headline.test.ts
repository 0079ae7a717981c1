import { readChallenge, readFailedRequest, type ChallengeResponse } from '@touchstone/x402';
import { expect, test } from 'vitest';
import type { CheckResult } from './check-endpoint.ts';
import { createHeadline } from './headline.ts';

const URL = 'https://api.example.com/v1/weather';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

function check(option: Record<string, unknown>, change: Partial<ChallengeResponse> = {}): CheckResult {
  const envelope = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: URL, description: 'Weather of a city', mimeType: 'application/json' },
    accepts: [{ ...OPTION, ...option }],
  };
  const header = Buffer.from(JSON.stringify(envelope)).toString('base64');
  const response: ChallengeResponse = {
    url: URL,
    method: 'GET',
    status: 402,
    headers: [
      ['payment-required', header],
      ['cache-control', 'no-store'],
    ],
    body: '{}',
    ...change,
  };
  return {
    ...{ url: URL, method: 'GET', redirects: [], failureReason: null, retryAfter: null, notes: [] },
    status: response.status,
    challenge: readChallenge(response),
  };
}

test.each([
  [
    'pays',
    {},
    /^Agents pay this endpoint: \$0\.01 in USDC on Base to 0x2096…287C\. Clients of version 1 do not: /,
  ],
  [
    'setting',
    { amount: '2000000' },
    /^Agents pay this endpoint only after a change of their settings: set .+ at least \$2/,
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

test('names the reason why agents cannot reach an endpoint, and the fix', () => {
  const reason = 'the connection was refused';
  const failed = {
    ...check({}),
    status: null,
    failureReason: reason,
    challenge: readFailedRequest(URL, reason),
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
