import { BUILDER_CODE_PATTERN, declareBuilderCodeExtension } from '@x402/extensions/builder-code';
import {
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { getCheck, getResult, REQUEST_URL, v2Envelope, v2Response } from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

function read(extensions: unknown, url = REQUEST_URL): Challenge {
  return readChallenge(v2Response(v2Envelope({ extensions }), { url }));
}

function withInfo(key: string, info: unknown): Challenge {
  return read({ [key]: { info, schema: {} } });
}

test.each<[unknown, string]>([
  [{}, 'pass'],
  [undefined, 'skip'],
  [null, 'skip'],
  [[], 'fail error'],
  ['bazaar', 'fail error'],
])('extensions of %j: %s', (extensions, expected) => {
  expect(getResult(read(extensions), 'ext-object')).toBe(expected);
});

describe('ext-info-schema', () => {
  test.each<[unknown, string]>([
    [{}, 'skip'],
    [{ bazaar: true }, 'skip'],
    [{ a: { info: {}, schema: {} } }, 'pass'],
    [{ a: { info: {}, schema: {} }, b: { info: {} } }, 'fail warning'],
    [{ a: { info: 'x', schema: {} } }, 'fail warning'],
    [{ a: { info: {}, schema: true } }, 'fail warning'],
    [{ a: null }, 'fail warning'],
    [JSON.parse('{"__proto__":{"info":{}}}'), 'fail warning'],
  ])('of %j: %s', (extensions, expected) => {
    expect(getResult(read(extensions), 'ext-info-schema')).toBe(expected);
  });

  test('names the extension', () => {
    expect(getCheck(read({ good: { info: {}, schema: {} }, bad: 1 }), 'ext-info-schema').message).toContain(
      '"bad"',
    );
  });
});

describe('siwx-domain', () => {
  const signIn = { domain: 'api.example.com', uri: REQUEST_URL };

  test.each<[unknown, string]>([
    [signIn, 'pass'],
    [{ ...signIn, uri: 'https://api.example.com/login' }, 'pass'],
    [{ ...signIn, domain: 'API.example.com' }, 'fail error'],
    [{ ...signIn, domain: 'localhost:3000' }, 'fail error'],
    [{ ...signIn, domain: undefined }, 'fail error'],
    [{ ...signIn, uri: 'http://api.example.com/v1/weather' }, 'fail error'],
    [{ ...signIn, uri: '/v1/weather' }, 'fail error'],
    [{ ...signIn, uri: undefined }, 'fail error'],
    ['sign in', 'skip'],
  ])('of %j: %s', (info, expected) => {
    expect(getResult(withInfo('sign-in-with-x', info), 'siwx-domain')).toBe(expected);
  });

  test('compares the host including its port', () => {
    const url = 'http://localhost:3000/v1/weather';
    const extensions = { 'sign-in-with-x': { info: { domain: 'localhost:3000', uri: url }, schema: {} } };
    expect(getResult(read(extensions, url), 'siwx-domain')).toBe('pass');
    expect(getResult(read(extensions, 'http://localhost:3001/'), 'siwx-domain')).toBe('fail error');
  });

  test('reports an error on the payable axis, because clients throw', () => {
    const challenge = withInfo('sign-in-with-x', { ...signIn, domain: 'evil.example' });
    expect(getCheck(challenge, 'siwx-domain').axis).toBe('payable');
    expect(challenge.verdict).toBe('errors');
  });
});

describe('payment-identifier-shape', () => {
  test('accepts declarations of the reference package', () => {
    for (const required of [true, false]) {
      const challenge = read({ 'payment-identifier': declarePaymentIdentifierExtension(required) });
      expect(getResult(challenge, 'payment-identifier-shape')).toBe('pass');
    }
  });

  test('agrees with the reference package', () => {
    const Id = fc.oneof(
      fc.string({ minLength: 14, maxLength: 18, unit: fc.constantFrom('a', '-', '_', '9', '.') }),
      fc.constantFrom<unknown>('a'.repeat(128), 'a'.repeat(129), 7, null, undefined),
    );
    const Required = fc.constantFrom<unknown>(true, false, 'yes', 1, null, undefined);
    fc.assert(
      fc.property(Id, Required, (id, required) => {
        const expected = validatePaymentIdentifier({ info: { id, required } }).valid
          ? 'pass'
          : 'fail warning';
        const challenge = withInfo('payment-identifier', { id, required });
        expect(getResult(challenge, 'payment-identifier-shape')).toBe(expected);
      }),
    );
  });
});

describe('builder-code-shape', () => {
  test('accepts declarations of the reference package', () => {
    for (const codes of [undefined, 'sdk', ['sdk', 'mcp']]) {
      const challenge = read({ 'builder-code': declareBuilderCodeExtension('skies_app', codes) });
      expect(getResult(challenge, 'builder-code-shape')).toBe('pass');
    }
  });

  test.each<[unknown, string]>([
    [{}, 'pass'],
    [{ s: 'sdk' }, 'pass'],
    [{ a: '' }, 'fail warning'],
    [{ a: null }, 'fail warning'],
    [{ a: 'a', w: 'Wallet' }, 'fail warning'],
    [{ a: 'a', s: ['ok', 7] }, 'fail warning'],
    [{ a: 'a', s: { code: 'x' } }, 'fail warning'],
    [{ a: 'a', s: ['a', 'b', 'c', 'd', 'e'] }, 'pass'],
    [{ a: 'a', s: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'fail warning'],
    [['a'], 'skip'],
  ])('of %j: %s', (info, expected) => {
    expect(getResult(withInfo('builder-code', info), 'builder-code-shape')).toBe(expected);
  });

  test('accepts the same codes as the reference package', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40, unit: fc.constantFrom('a', '_', '9', 'A', '-') }), (code) => {
        const expected = BUILDER_CODE_PATTERN.test(code) ? 'pass' : 'fail warning';
        expect(getResult(withInfo('builder-code', { a: code }), 'builder-code-shape')).toBe(expected);
      }),
    );
  });
});
