import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import {
  getCheck,
  dualResponse,
  getResult,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { ChallengeResponse } from '../../types.ts';

const WALLET = '0x1111111111111111111111111111111111111111';
const DOMAIN = { name: 'USD Coin', version: '2' };
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
};
const EXPENSIVE = v2Option({ amount: '20000' });

function createOffer(...options: JsonObject[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts: options }));
}

function compare(response: ChallengeResponse, second: ChallengeResponse): string {
  return getResult(readChallenge(response, { secondResponse: second }), 'terms-stable');
}

function getMessage(response: ChallengeResponse, second: ChallengeResponse): string {
  return getCheck(readChallenge(response, { secondResponse: second }), 'terms-stable').message;
}

describe('payment requirements', () => {
  test('are equal in any order and letter case', () => {
    const other = v2Option({ network: 'eip155:137' });
    const lower = v2Option({ payTo: String(v2Option()['payTo']).toLowerCase() });
    expect(compare(createOffer(v2Option(), other), createOffer(other, lower))).toBe('pass');
    expect(compare(createOffer(v2Option(), v2Option()), createOffer(v2Option()))).toBe('fail warning');
  });

  test('lower the severity only for an announced dynamic price', () => {
    expect(compare(createOffer(v2Option()), createOffer(EXPENSIVE))).toBe('fail warning');
    expect(compare(createOffer(v2Option()), createOffer(v2Option({ payTo: WALLET })))).toBe('fail warning');
    const upto = { scheme: 'upto' };
    expect(compare(createOffer(v2Option(upto)), createOffer({ ...EXPENSIVE, ...upto }))).toBe('fail info');
    const announced = { resource: { url: REQUEST_URL, description: 'Tokens; the price varies by model' } };
    const first = v2Response(v2Envelope(announced));
    expect(compare(first, createOffer(EXPENSIVE))).toBe('fail info');
    expect(compare(first, createOffer(v2Option({ payTo: WALLET })))).toBe('fail warning');
    const v1 = (amount: string): ChallengeResponse =>
      v1Response(
        v1Envelope({ accepts: [v1Option({ maxAmountRequired: amount, description: 'Dynamic price' })] }),
      );
    expect(compare(v1('1'), v1('2'))).toBe('fail info');
  });
});

describe('the second response', () => {
  const respondWith = (status: number): ChallengeResponse => ({
    url: REQUEST_URL,
    status,
    headers: [],
    body: null,
  });

  test.each([200, 204, 299])('with status %i serves the resource without payment', (status) => {
    expect(compare(v2Response(), respondWith(status))).toBe('fail warning');
    expect(getMessage(v2Response(), respondWith(status))).toContain(`status ${String(status)}`);
    expect(compare(v2Response(), v2Response(v2Envelope(), { status }))).toBe('fail warning');
  });

  test.each([0, 302, 400, 429, 503])('with status %i is skipped', (status) => {
    expect(compare(v2Response(), respondWith(status))).toBe('skip');
    expect(compare(v2Response(), v2Response(v2Envelope({ accepts: [EXPENSIVE] }), { status }))).toBe('skip');
  });

  test('without payment requirements is skipped', () => {
    expect(compare(v2Response(), respondWith(402))).toBe('skip');
    expect(compare(respondWith(429), v2Response())).toBe('skip');
    expect(compare(v2Response(v2Envelope(), { status: 200 }), v2Response())).toBe('skip');
    expect(getResult(readChallenge(v2Response()), 'terms-stable')).toBe('skip');
  });

  test('with another version is a change, even for the same payment', () => {
    expect(compare(v2Response(), v1Response())).toBe('fail warning');
    expect(compare(v1Response(), v2Response())).toBe('fail warning');
    expect(getMessage(v1Response(), v2Response())).toContain('first version 1, then version 2');
    expect(compare(dualResponse(), v2Response())).toBe('pass');
  });
});

describe('extra', () => {
  const changed = (one: unknown, other: unknown, more: JsonObject = {}): string =>
    compare(createOffer(v2Option({ ...more, extra: one })), createOffer(v2Option({ ...more, extra: other })));

  test.each<[string, unknown, unknown, string]>([
    ['the same members in another order', { version: '2', name: 'USD Coin' }, DOMAIN, 'pass'],
    ['another name', { ...DOMAIN, name: 'USDC' }, DOMAIN, 'fail warning'],
    ['another version', DOMAIN, { ...DOMAIN, version: '1' }, 'fail warning'],
    ['the name removed', DOMAIN, { version: '2' }, 'fail warning'],
    ['extra removed', DOMAIN, undefined, 'fail warning'],
    ['another facilitator', { ...DOMAIN, facilitator: 'a' }, { ...DOMAIN, facilitator: 'b' }, 'fail info'],
    ['an additional member', DOMAIN, { ...DOMAIN, paymentFlow: 'upfront' }, 'fail info'],
    ['another nested value', { of: { a: 1, b: 2 } }, { of: { a: 1, b: 3 } }, 'fail info'],
    ['another nested order', { of: { a: 1, b: 2 } }, { of: { b: 2, a: 1 } }, 'pass'],
    ['another nested nonce', { of: [{ nonce: 1 }] }, { of: [{ nonce: 2 }] }, 'pass'],
  ])('with %s', (...[, one, other, result]) => {
    expect(changed(one, other)).toBe(result);
  });

  test.each([
    ...['nonce', 'memo', 'recentBlockhash', 'lastValidBlockHeight', 'recentSlot', 'requestId', 'timestamp'],
    ...['expiry', 'expiresAt', 'request_id', 'X-Nonce', 'issued-at', 'captureDeadline', 'validUntil', 'iat'],
  ])('ignores changes of %s', (name) => {
    expect(changed({ ...DOMAIN, [name]: 1 }, { ...DOMAIN, [name]: 2 })).toBe('pass');
    expect(changed({ ...DOMAIN, [name]: 1 }, DOMAIN)).toBe('pass');
  });

  test.each(['chainId', 'format', 'timeoutSeconds', 'feePayer', '__proto__'])(
    'reports changes of %s',
    (name) => {
      const one: unknown = JSON.parse(`{"${name}":{"a":1}}`);
      const other: unknown = JSON.parse(`{"${name}":{"a":2}}`);
      expect(changed(one, other)).toBe('fail info');
    },
  );

  test('contains an EIP-712 domain only on EVM networks', () => {
    expect(changed({ name: 'a' }, { name: 'b' }, SOLANA)).toBe('fail info');
  });

  test('contains an EIP-712 domain also in version 1', () => {
    const named = (name: string): ChallengeResponse =>
      v1Response(v1Envelope({ accepts: [v1Option({ extra: { name, version: '2' } })] }));
    expect(compare(named('USD Coin'), named('USDC'))).toBe('fail warning');
  });

  test('with a changed domain stays a warning when the price is dynamic', () => {
    const first = v2Option({ scheme: 'upto', extra: DOMAIN });
    const second = { ...first, amount: '20000', extra: { ...DOMAIN, name: 'USDC' } };
    expect(compare(createOffer(first), createOffer(second))).toBe('fail warning');
    expect(getMessage(createOffer(first), createOffer(second))).toContain('EIP-712');
  });

  test('names the first three changed members and counts the others', () => {
    const one = { a: 1, b: 1, c: 1, d: 1, ['\u001B[31m']: 1 };
    const other = { a: 2, b: 2, c: 2, d: 2, ['\u001B[31m']: 2 };
    const message = getMessage(
      createOffer(v2Option({ extra: one })),
      createOffer(v2Option({ extra: other })),
    );
    expect(message).toContain('"a", "b", "c" and 2 more');
  });

  test('compares large members in linear time', () => {
    const extra = (value: number): JsonObject =>
      Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`m${String(index)}`, value]));
    const body = (value: number): ChallengeResponse =>
      v1Response(
        v1Envelope({ accepts: Array.from({ length: 64 }, () => v1Option({ extra: extra(value) })) }),
      );
    const started = performance.now();
    expect(compare(body(1), body(2))).toBe('fail info');
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
