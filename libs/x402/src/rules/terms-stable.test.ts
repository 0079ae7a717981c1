import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  checkOf,
  dualResponse,
  resultOf,
  URL_ASKED,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { ChallengeResponse } from '../types.ts';

const WALLET = '0x1111111111111111111111111111111111111111';
const DOMAIN = { name: 'USD Coin', version: '2' };
const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
};
const DEAR = v2Option({ amount: '20000' });

function offering(...options: Bag[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts: options }));
}

function outcome(response: ChallengeResponse, again: ChallengeResponse): string {
  return resultOf(readChallenge(response, { again }), 'terms-stable');
}

function messageOf(response: ChallengeResponse, again: ChallengeResponse): string {
  return checkOf(readChallenge(response, { again }), 'terms-stable').message;
}

describe('terms', () => {
  test('are the same in any order and letter case', () => {
    const other = v2Option({ network: 'eip155:137' });
    const lower = v2Option({ payTo: String(v2Option()['payTo']).toLowerCase() });
    expect(outcome(offering(v2Option(), other), offering(other, lower))).toBe('pass');
    expect(outcome(offering(v2Option(), v2Option()), offering(v2Option()))).toBe('fail warning');
  });

  test('weigh more than another amount that is announced', () => {
    expect(outcome(offering(v2Option()), offering(DEAR))).toBe('fail warning');
    expect(outcome(offering(v2Option()), offering(v2Option({ payTo: WALLET })))).toBe('fail warning');
    const upto = { scheme: 'upto' };
    expect(outcome(offering(v2Option(upto)), offering({ ...DEAR, ...upto }))).toBe('fail info');
    const announced = { resource: { url: URL_ASKED, description: 'Tokens; the price varies by model' } };
    const first = v2Response(v2Envelope(announced));
    expect(outcome(first, offering(DEAR))).toBe('fail info');
    expect(outcome(first, offering(v2Option({ payTo: WALLET })))).toBe('fail warning');
    const v1 = (amount: string): ChallengeResponse =>
      v1Response(
        v1Envelope({ accepts: [v1Option({ maxAmountRequired: amount, description: 'Dynamic price' })] }),
      );
    expect(outcome(v1('1'), v1('2'))).toBe('fail info');
  });
});

describe('the second answer', () => {
  const answered = (status: number): ChallengeResponse => ({
    url: URL_ASKED,
    status,
    headers: [],
    body: null,
  });

  test.each([200, 204, 299])('of status %i gives away what the first one sold', (status) => {
    expect(outcome(v2Response(), answered(status))).toBe('fail warning');
    expect(messageOf(v2Response(), answered(status))).toContain(`status ${String(status)}`);
    expect(outcome(v2Response(), v2Response(v2Envelope(), { status }))).toBe('fail warning');
  });

  test.each([0, 302, 400, 429, 503])('of status %i says nothing of the terms', (status) => {
    expect(outcome(v2Response(), answered(status))).toBe('skip');
    expect(outcome(v2Response(), v2Response(v2Envelope({ accepts: [DEAR] }), { status }))).toBe('skip');
  });

  test('without terms is no change of terms', () => {
    expect(outcome(v2Response(), answered(402))).toBe('skip');
    expect(outcome(answered(429), v2Response())).toBe('skip');
    expect(outcome(v2Response(v2Envelope(), { status: 200 }), v2Response())).toBe('skip');
    expect(resultOf(readChallenge(v2Response()), 'terms-stable')).toBe('skip');
  });

  test('of another version is another challenge, even for the same money', () => {
    expect(outcome(v2Response(), v1Response())).toBe('fail warning');
    expect(outcome(v1Response(), v2Response())).toBe('fail warning');
    expect(messageOf(v1Response(), v2Response())).toContain('version 1, the second of version 2');
    expect(outcome(dualResponse(), v2Response())).toBe('pass');
  });
});

describe('extra', () => {
  const changed = (one: unknown, other: unknown, more: Bag = {}): string =>
    outcome(offering(v2Option({ ...more, extra: one })), offering(v2Option({ ...more, extra: other })));

  test.each<[string, unknown, unknown, string]>([
    ['the same in another order', { version: '2', name: 'USD Coin' }, DOMAIN, 'pass'],
    ['another name', { ...DOMAIN, name: 'USDC' }, DOMAIN, 'fail warning'],
    ['another version', DOMAIN, { ...DOMAIN, version: '1' }, 'fail warning'],
    ['no name any more', DOMAIN, { version: '2' }, 'fail warning'],
    ['no extra any more', DOMAIN, undefined, 'fail warning'],
    ['another facilitator', { ...DOMAIN, facilitator: 'a' }, { ...DOMAIN, facilitator: 'b' }, 'fail info'],
    ['a member more', DOMAIN, { ...DOMAIN, paymentFlow: 'upfront' }, 'fail info'],
    ['another member inside', { of: { a: 1, b: 2 } }, { of: { a: 1, b: 3 } }, 'fail info'],
    ['another order inside', { of: { a: 1, b: 2 } }, { of: { b: 2, a: 1 } }, 'pass'],
    ['another nonce inside', { of: [{ nonce: 1 }] }, { of: [{ nonce: 2 }] }, 'pass'],
  ])('with %s', (...[, one, other, result]) => {
    expect(changed(one, other)).toBe(result);
  });

  test.each([
    ...['nonce', 'memo', 'recentBlockhash', 'lastValidBlockHeight', 'recentSlot', 'requestId', 'timestamp'],
    ...['expiry', 'expiresAt', 'request_id', 'X-Nonce', 'issued-at', 'captureDeadline', 'validUntil', 'iat'],
  ])('may change its %s with every request', (name) => {
    expect(changed({ ...DOMAIN, [name]: 1 }, { ...DOMAIN, [name]: 2 })).toBe('pass');
    expect(changed({ ...DOMAIN, [name]: 1 }, DOMAIN)).toBe('pass');
  });

  test.each(['chainId', 'format', 'timeoutSeconds', 'feePayer', '__proto__'])(
    'is not to change its %s',
    (name) => {
      const one: unknown = JSON.parse(`{"${name}":{"a":1}}`);
      const other: unknown = JSON.parse(`{"${name}":{"a":2}}`);
      expect(changed(one, other)).toBe('fail info');
    },
  );

  test('has a domain on EVM only', () => {
    expect(changed({ name: 'a' }, { name: 'b' }, SOLANA)).toBe('fail info');
  });

  test('of version 1 has one too', () => {
    const named = (name: string): ChallengeResponse =>
      v1Response(v1Envelope({ accepts: [v1Option({ extra: { name, version: '2' } })] }));
    expect(outcome(named('USD Coin'), named('USDC'))).toBe('fail warning');
  });

  test('that changes its domain weighs more than an amount that changes by design', () => {
    const first = v2Option({ scheme: 'upto', extra: DOMAIN });
    const again = { ...first, amount: '20000', extra: { ...DOMAIN, name: 'USDC' } };
    expect(outcome(offering(first), offering(again))).toBe('fail warning');
    expect(messageOf(offering(first), offering(again))).toContain('EIP-712');
  });

  test('has its first changed members named, and the others counted', () => {
    const one = { a: 1, b: 1, c: 1, d: 1, ['\u001B[31m']: 1 };
    const other = { a: 2, b: 2, c: 2, d: 2, ['\u001B[31m']: 2 };
    const message = messageOf(offering(v2Option({ extra: one })), offering(v2Option({ extra: other })));
    expect(message).toContain('"a", "b", "c" and 2 more');
  });

  test('is compared in time that grows with its size only', () => {
    const extra = (value: number): Bag =>
      Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`m${String(index)}`, value]));
    const body = (value: number): ChallengeResponse =>
      v1Response(
        v1Envelope({ accepts: Array.from({ length: 64 }, () => v1Option({ extra: extra(value) })) }),
      );
    const started = performance.now();
    expect(outcome(body(1), body(2))).toBe('fail info');
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
