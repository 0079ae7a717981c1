import { BUILDER_CODE_PATTERN, declareBuilderCodeExtension } from '@x402/extensions/builder-code';
import {
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { EXTENSION_RULES } from './extension-rules.ts';
import { getCheck, getResult, REQUEST_URL, v2Envelope, v2Response } from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge } from '../../types.ts';

/** Value of the member `extensions`, and the requested URL. */
type Example = readonly [extensions: unknown, url?: string];

const SIGN_IN = { domain: 'api.example.com', uri: REQUEST_URL };
const LOCAL_URL = 'http://localhost:3000/v1/weather';
const LOCAL_SIGN_IN = {
  'sign-in-with-x': { info: { domain: 'localhost:3000', uri: LOCAL_URL }, schema: {} },
};

function read([extensions, url = REQUEST_URL]: Example): Challenge {
  return readChallenge(v2Response(v2Envelope({ extensions }), { url }));
}

/** Creates one example for each value of the member `info` of an extension. */
function withInfo(key: string, ...values: readonly unknown[]): Example[] {
  return values.map((info) => [{ [key]: { info, schema: {} } }]);
}

function signIn(...changes: readonly object[]): Example[] {
  return withInfo('sign-in-with-x', ...changes.map((change) => ({ ...SIGN_IN, ...change })));
}

testRules<Example>({
  rules: EXTENSION_RULES,
  read,
  cases: {
    'ext-object': {
      pass: [[{}]],
      error: [[[]], [['bazaar']], ['bazaar']],
      skip: [[undefined], [null]],
    },
    'ext-info-schema': {
      pass: [[{ a: { info: {}, schema: {} } }]],
      warning: [
        [{ a: { info: {}, schema: {} }, b: { info: {} } }],
        ...[{ info: 'x', schema: {} }, { info: {}, schema: true }, null].map((a): Example => [{ a }]),
        [JSON.parse('{"__proto__":{"info":{}}}')],
      ],
      skip: [[undefined], [{}], [{ bazaar: true }]],
    },
    'siwx-domain': {
      pass: [...signIn({}, { uri: 'https://api.example.com/login' }), [LOCAL_SIGN_IN, LOCAL_URL]],
      error: [
        ...signIn({ domain: 'API.example.com' }, { domain: 'localhost:3000' }, { domain: undefined }),
        ...signIn({ uri: 'http://api.example.com/v1/weather' }, { uri: '/v1/weather' }, { uri: undefined }),
        [LOCAL_SIGN_IN, 'http://localhost:3001/'],
      ],
      skip: [[undefined], [{ 'sign-in-with-x': { info: 'sign in', schema: {} } }]],
    },
    'payment-identifier-shape': {
      pass: [true, false].map((required): Example => [
        { 'payment-identifier': declarePaymentIdentifierExtension(required) },
      ]),
      warning: withInfo('payment-identifier', { required: 'yes' }),
      skip: [[undefined]],
    },
    'builder-code-shape': {
      pass: [
        ...[undefined, 'sdk', ['sdk', 'mcp']].map((codes): Example => [
          { 'builder-code': declareBuilderCodeExtension('skies_app', codes) },
        ]),
        ...withInfo('builder-code', {}, { s: 'sdk' }, { a: 'a', s: ['a', 'b', 'c', 'd', 'e'] }),
      ],
      warning: withInfo(
        'builder-code',
        ...[{ a: 'Skies App' }, { a: '' }, { a: null }, { a: 'a', w: 'Wallet' }, { a: 'a', s: ['ok', 7] }],
        ...[
          { a: 'a', s: { code: 'x' } },
          { a: 'a', s: ['a', 'b', 'c', 'd', 'e', 'f'] },
        ],
      ),
      skip: [[undefined], ...withInfo('builder-code', ['a'])],
    },
  },
});

test('a wrong sign-in domain is an error, because clients throw', () => {
  expect(readChallenge(v2Response(v2Envelope({ extensions: LOCAL_SIGN_IN }))).verdict).toBe('errors');
});

test('an extension without a schema is named', () => {
  const challenge = read([{ good: { info: {}, schema: {} }, bad: 1 }]);
  expect(getCheck(challenge, 'ext-info-schema').message).toContain('"bad"');
});

describe('the reference package agrees on valid', () => {
  const expectAgreement = (key: string, info: unknown, isValid: boolean): void => {
    const challenge = read([{ [key]: { info, schema: {} } }]);
    expect(getResult(challenge, `${key}-shape`)).toBe(isValid ? 'pass' : 'fail warning');
  };

  test('payment identifiers', () => {
    const Id = fc.oneof(
      fc.string({ minLength: 14, maxLength: 18, unit: fc.constantFrom('a', '-', '_', '9', '.') }),
      fc.constantFrom<unknown>('a'.repeat(128), 'a'.repeat(129), 7, null, undefined),
    );
    const Required = fc.constantFrom<unknown>(true, false, 'yes', 1, null, undefined);
    fc.assert(
      fc.property(Id, Required, (id, required) => {
        const { valid } = validatePaymentIdentifier({ info: { id, required } });
        expectAgreement('payment-identifier', { id, required }, valid);
      }),
    );
  });

  test('builder codes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40, unit: fc.constantFrom('a', '_', '9', 'A', '-') }), (code) => {
        expectAgreement('builder-code', { a: code }, BUILDER_CODE_PATTERN.test(code));
      }),
    );
  });
});
