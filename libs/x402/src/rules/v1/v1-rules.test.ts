import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { V1_OPTION_RULES } from './v1-option-rules.ts';
import { V1_RULES } from './v1-rules.ts';
import {
  BASE_USDC,
  dualResponse,
  EURC,
  getCheck,
  PAY_TO,
  SEPOLIA,
  SOLANA as V2_SOLANA,
  SOLANA_WALLET,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { ChallengeResponse } from '../../types.ts';

const SOLANA = { ...V2_SOLANA, network: 'solana' };
const OUTPUT_SCHEMA = { input: { type: 'http', method: 'GET' } };
const HTTP_URL = 'http://api.example.com/v1/weather';

function withEnvelope(change: JsonObject): ChallengeResponse {
  return v1Response(v1Envelope(change));
}

/** Creates a response with a correct option for each of the given changes. */
function withOptions(...changes: readonly JsonObject[]): ChallengeResponse {
  return withEnvelope({
    accepts: changes.map((change) => v1Option({ outputSchema: OUTPUT_SCHEMA, ...change })),
  });
}

function withMember(name: string, ...values: readonly unknown[]): ChallengeResponse[] {
  return values.map((value) => withOptions({ [name]: value }));
}

const VALID = withOptions({});
const DUPLICATE_PAYEE: ChallengeResponse = {
  ...VALID,
  body: (VALID.body ?? '').replace('"payTo"', '"payTo":"0x0","payTo"'),
};
const TRUNCATED = v1Response(undefined, { body: '{"x402Version":1,' });

describe('the body', () => {
  testRules<ChallengeResponse>({
    rules: V1_RULES,
    read: (response) => readChallenge(response),
    cases: {
      'v1-body-json': {
        pass: [VALID],
        error: [TRUNCATED],
        skip: [
          { ...TRUNCATED, headers: [['content-type', 'text/html']] },
          v2Response(undefined, { body: 'oops' }),
        ],
      },
      'v1-json-unique-keys': {
        pass: [VALID],
        error: [DUPLICATE_PAYEE],
        skip: [v2Response()],
      },
      'v1-version': {
        pass: [VALID],
        error: [withEnvelope({ x402Version: '1' }), withEnvelope({ x402Version: undefined })],
      },
      'v1-error': {
        pass: [VALID, withEnvelope({ error: undefined })],
        warning: [withEnvelope({ error: null })],
      },
      'v1-accepts-nonempty': {
        pass: [VALID],
        error: [[], undefined, 'base', { 0: v1Option() }].map((accepts) => withEnvelope({ accepts })),
      },
      'v1-all-entries-parse': {
        pass: [
          ...[VALID, withOptions({ description: ' ', mimeType: '', maxAmountRequired: '' })],
          withOptions({ resource: 'http://example.com', asset: 'USDC', payTo: SOLANA_WALLET, extra: {} }),
          withOptions({ maxTimeoutSeconds: -60 }),
        ],
        error: [
          withEnvelope({ accepts: [v1Option(), 'base'] }),
          ...withMember('outputSchema', null, []),
          withOptions({ ...SOLANA, extra: 'fees' }),
          // The rules for single members read only the first 64 options.
          withOptions(...Array.from({ length: 64 }, () => ({})), { mimeType: undefined }),
        ],
        skip: [
          ...[[], undefined, 'base', { 0: v1Option() }].map((accepts) => withEnvelope({ accepts })),
          // The rules for single members report these options.
          ...withMember('scheme', 'upto'),
          ...withMember('network', '0g-galileo', 'monad', null, 'eip155:8453'),
          ...withMember('maxAmountRequired', 5, '0.5'),
          ...withMember('resource', '/v1/weather'),
          ...withMember('description', undefined),
          ...withMember('mimeType', undefined),
          ...withMember('payTo', ''),
          ...withMember('asset', ''),
          ...withMember('maxTimeoutSeconds', 0.5, '60'),
          ...withMember('extra', 'USDC'),
        ],
      },
    },
  });

  test.each<[string, readonly unknown[]]>([
    [
      'accepts[1].outputSchema is null; it must be an object, or be absent. Version 1 clients reject the whole list (affects 2 of 3 options).',
      [v1Option({ network: 'nowhere' }), v1Option({ network: 'nowhere', outputSchema: null }), null],
    ],
    [
      'accepts[0].outputSchema is "none"; it must be an object, or be absent. accepts[0].extra is 1; it must be an object, or be absent. Version 1 clients reject the whole list (affects 1 of 1 options).',
      [v1Option({ ...SOLANA, outputSchema: 'none', extra: 1 })],
    ],
    [
      'accepts[64].scheme is missing; it must be "exact". accepts[64].network is missing; it must be a version 1 network name such as "base".',
      Array(65).fill({}),
    ],
    ['(affects 64 of 64 options)', Array(64).fill(null)],
    // Reading stops when more than 64 entries are invalid.
    ['(affects more than 64 of 65 options)', Array(65).fill(null)],
    ['(affects more than 64 of 50000 options)', Array(50_000).fill(null)],
  ])('that cannot be parsed is explained: %s', (message, accepts) => {
    expect(getCheck(readChallenge(withEnvelope({ accepts })), 'v1-all-entries-parse')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describe('an option', () => {
  testRules<ChallengeResponse>({
    rules: V1_OPTION_RULES,
    read: (response) => readChallenge(response),
    cases: {
      'v1-scheme-exact': { pass: [VALID], error: withMember('scheme', 'upto') },
      'v1-network-enum': {
        pass: [VALID],
        error: withMember('network', 'arbitrum', '0g-galileo', 'monad', 'Base', null),
        skip: withMember('network', 'eip155:8453'),
      },
      'v1-network-not-caip2': { pass: [VALID], error: withMember('network', 'eip155:8453') },
      'v1-max-amount': {
        pass: [VALID],
        error: withMember('maxAmountRequired', 5, '0.5', '', '1'.repeat(20)),
      },
      'v1-amount-positive': {
        pass: [VALID],
        warning: withMember('maxAmountRequired', '0'),
        skip: withMember('maxAmountRequired', 'nothing'),
      },
      'v1-resource-url': {
        // The rule `http-https` reports a request over http.
        pass: [VALID, { ...withOptions({ resource: HTTP_URL }), url: HTTP_URL }],
        error: withMember('resource', '/v1/weather', undefined),
        'warning on hygiene': [
          ...withMember('resource', HTTP_URL, 'http://example.com', 'https://api.example.com/v1/stocks'),
        ],
      },
      'v1-description': {
        pass: [VALID],
        error: withMember('description', undefined, 7),
        'warning on hygiene': withMember('description', '', ' '),
      },
      'v1-mimetype': {
        pass: [VALID],
        error: withMember('mimeType', undefined, null),
        'warning on hygiene': withMember('mimeType', ''),
      },
      'v1-payto': {
        pass: [...[VALID, withOptions(SOLANA)], ...withMember('network', 'nowhere')],
        error: [
          ...withMember('payTo', '', SOLANA_WALLET, `0x${'0'.repeat(40)}`, BASE_USDC.toLowerCase()),
          withOptions({ ...SOLANA, payTo: PAY_TO }),
          withOptions({ network: 'nowhere', payTo: 'merchant' }),
        ],
      },
      'v1-asset': {
        pass: [...[VALID, withOptions(SOLANA)], ...withMember('network', 'nowhere')],
        error: [
          ...withMember('asset', 'USDC', '', `eip155:8453/erc20:${BASE_USDC}`, SEPOLIA.asset, EURC),
          withOptions({ ...SOLANA, asset: BASE_USDC }),
          ...['nowhere', 7].map((network) => withOptions({ network, asset: 'USDC' })),
        ],
      },
      'v1-timeout': { pass: [VALID], error: withMember('maxTimeoutSeconds', 0, 0.5, -60, '60') },
      'v1-eip712-domain': {
        pass: [VALID],
        error: [...withMember('extra', {}, undefined), withOptions({ network: 'eip155:8453', extra: {} })],
        skip: [withOptions({ ...SOLANA, extra: undefined })],
      },
      'v1-eip712-domain-value': {
        pass: [VALID],
        error: withMember('extra', SEPOLIA.extra),
        skip: [withOptions(SOLANA), ...withMember('extra', {}), ...withMember('asset', PAY_TO)],
      },
      'v1-svm-fee-payer': {
        pass: [withOptions(SOLANA)],
        error: [undefined, {}, { feePayer: PAY_TO }].map((extra) => withOptions({ ...SOLANA, extra })),
        skip: [VALID],
      },
      'v1-output-schema': {
        pass: withMember('outputSchema', { input: {} }, { input: { discoverable: true } }),
        warning: withMember('outputSchema', ...[undefined, {}, { input: null }, { input: ['GET'] }]),
        info: withMember('outputSchema', { input: { discoverable: false } }),
        // Directories read the version 2 header and ignore `outputSchema`.
        skip: [
          ...[dualResponse(), dualResponse(v2Envelope({ accepts: [] }))],
          ...withMember('outputSchema', null, []),
        ],
      },
    },
    overlaps: {
      'v1-network-enum': ['v1-network-not-caip2'],
      'v1-eip712-domain': ['v1-network-not-caip2'],
      'v1-asset': ['v1-network-enum'],
      'v1-payto': ['v1-network-enum'],
    },
  });

  test.each<[string, ChallengeResponse, RegExp]>([
    [
      'v1-output-schema',
      withOptions({ outputSchema: { output: {} } }),
      /^outputSchema\.input is (undefined|missing); .* type http, the method/,
    ],
    [
      'v1-eip712-domain',
      withOptions({ extra: {} }),
      /sign all the same, but facilitators and the token contract reject/,
    ],
    [
      'v1-resource-url',
      withOptions({ resource: 'http://example.com' }),
      /does not match the requested URL and should use https/,
    ],
  ])('that violates %s gets an explanation', (id, response, text) => {
    expect(getCheck(readChallenge(response), id).message).toMatch(text);
  });
});
