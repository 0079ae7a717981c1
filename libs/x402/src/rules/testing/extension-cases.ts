import type { RuleCases, RuleExample } from './rule-case.ts';
import { REQUEST_URL, v2Envelope, v2Response, type JsonObject } from '../../testing/fixtures.ts';

const SCHEMA = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };

function withExtensions(extensions: unknown): RuleExample {
  return { response: v2Response(v2Envelope({ extensions })) };
}

function withInfo(key: string, info: unknown): RuleExample {
  return withExtensions({ [key]: { info, schema: SCHEMA } });
}

function signIn(change: JsonObject): RuleExample {
  return withInfo('sign-in-with-x', {
    domain: 'api.example.com',
    uri: REQUEST_URL,
    version: '1',
    nonce: '0123456789abcdef0123456789abcdef',
    issuedAt: '2026-01-15T10:30:00.000Z',
    ...change,
  });
}

const none = withExtensions(undefined);

/** Example responses for the rules on extensions other than discovery. */
export const EXTENSION_CASES: RuleCases = {
  'ext-object': {
    pass: withExtensions({}),
    fail: withExtensions(['bazaar']),
    skip: none,
  },
  'ext-info-schema': {
    pass: withInfo('payment-identifier', { required: false }),
    fail: withExtensions({ 'payment-identifier': { info: { required: false } } }),
    skip: withExtensions({}),
  },
  'siwx-domain': {
    pass: signIn({}),
    fail: signIn({ domain: 'localhost:3000' }),
    skip: none,
  },
  'payment-identifier-shape': {
    pass: withInfo('payment-identifier', { required: true }),
    fail: withInfo('payment-identifier', { required: 'yes' }),
    skip: none,
  },
  'builder-code-shape': {
    pass: withInfo('builder-code', { a: 'skies_app', s: ['skies_sdk'] }),
    fail: withInfo('builder-code', { a: 'Skies App' }),
    skip: none,
  },
};
