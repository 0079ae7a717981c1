import { expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './header-rules.ts';
import {
  encode,
  getCheck,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { ChallengeResponse } from '../../types.ts';

const VALID = encode(v2Envelope());
const JSON_TEXT = JSON.stringify(v2Envelope());
/**
 * Envelope in URL-safe base64. The text ???>>> adds - and _ to the encoded envelope. Standard base64 does not contain -
 * and _.
 */
const URL_SAFE = encode(v2Envelope({ error: '???>>>' }))
  .replaceAll('+', '-')
  .replaceAll('/', '_');

function withHeaders(headers: [string, string][], body = '{}'): ChallengeResponse {
  return v2Response(undefined, { headers: [['cache-control', 'no-store'], ...headers], body });
}

/** Creates a response with the given values of PAYMENT-REQUIRED, each in its own header field. */
function withValue(...values: string[]): ChallengeResponse {
  return withHeaders(values.map((value) => ['PAYMENT-REQUIRED', value]));
}

/** Creates a response whose PAYMENT-REQUIRED header contains the given JSON text. */
function withJson(text: string): ChallengeResponse {
  return withValue(btoa(text));
}

/** Creates a response whose envelope has two unknown members. The names are given as JSON text. */
function withMembers(one: string, other: string): ChallengeResponse {
  return withJson(JSON_TEXT.replace('{', `{"${one}":1,"${other}":1,`));
}

function withEnvelope(change: JsonObject): ChallengeResponse {
  return v2Response(v2Envelope(change));
}

function withOptions(count: number, ...others: unknown[]): ChallengeResponse {
  return withEnvelope({ accepts: [...Array.from({ length: count }, () => v2Option()), ...others] });
}

const TRUNCATED = withJson(JSON_TEXT.slice(0, -1));
const TOO_LONG = withValue('A'.repeat(100_000));
const NO_LIST = withEnvelope({ accepts: 'none' });
const DUPLICATE_PAYEE = withJson(JSON_TEXT.replace('"payTo"', '"payTo":"0x0\\u001b","payTo"'));
const LONE_SURROGATE = withMembers(String.raw`\ud800`, String.raw`\uD800`);
/** The response has no PAYMENT-REQUIRED header, but a body that version 1 clients can pay. */
const VERSION_1_ONLY = withHeaders([], JSON.stringify(v1Envelope()));

testRules<ChallengeResponse>({
  rules: [...V2_HEADER_RULES, ...V2_ACCEPTS_RULES],
  read: (response) => readChallenge(response),
  overlaps: { 'v2-accepts-array': ['v2-accepts-max'] },
  cases: {
    'v2-header-present': {
      pass: [v2Response()],
      warning: [
        VERSION_1_ONLY,
        withHeaders([], JSON.stringify(v1Envelope({ accepts: [v1Option({ payTo: '' })] }))),
      ],
      skip: [
        ...[v1Response(v2Envelope()), withHeaders([]), withValue(' '), withHeaders([['x-payment', '']])],
        withHeaders([
          ['__proto__', VALID],
          ['constructor', 'x'],
        ]),
      ],
    },
    'v2-header-name': {
      pass: [
        v2Response(),
        withHeaders([
          ['x-payment-required', 'x'],
          ['payment-required', VALID],
        ]),
      ],
      error: [withHeaders([['X-Payment-Required', VALID]])],
      skip: [v1Response()],
    },
    'v2-header-single': {
      pass: [v2Response()],
      error: [withValue(VALID, VALID), withValue(`${VALID},${VALID}`)],
    },
    'v2-base64-standard': {
      pass: [v2Response()],
      error: [URL_SAFE, JSON_TEXT, 'QQ=', VALID.replace(/^.{8}/, '$& ')].map((value) => withValue(value)),
      skip: [v1Response(), TOO_LONG, withValue(VALID, VALID)],
    },
    'v2-json': {
      pass: [v2Response()],
      error: [
        ...[TRUNCATED, withJson('pay me'), withJson('  '), withJson(JSON_TEXT.split('').join('\0'))],
        withValue(encode([v2Envelope()])),
      ],
      // The text is not valid UTF-8.
      'warning on hygiene': [withJson(JSON_TEXT.replace('Skies', 'Ski\u00e9s'))],
      skip: [withValue(URL_SAFE), TOO_LONG],
    },
    'v2-json-strict': {
      pass: [v2Response()],
      error: [withJson(JSON_TEXT.replace('"10000"', 'NaN'))],
      skip: [TRUNCATED, TOO_LONG],
    },
    'v2-json-unique-keys': {
      pass: [
        withEnvelope({ extensions: { a: { info: 1 }, b: { info: 1 } } }),
        withMembers(String.raw`\ud800`, String.raw`\ud801`),
      ],
      error: [
        ...[DUPLICATE_PAYEE, LONE_SURROGATE],
        withJson(JSON_TEXT.replace('"amount"', String.raw`"amoun\u0074":"1","amount"`)),
      ],
      skip: [withValue(URL_SAFE), TOO_LONG],
    },
    'v2-version': {
      pass: [v2Response()],
      error: ['2', undefined, 3].map((x402Version) => withEnvelope({ x402Version })),
    },
    'v2-error-type': {
      pass: [withEnvelope({ error: undefined }), withEnvelope({ error: null })],
      warning: [withEnvelope({ error: { code: 402 } }), withEnvelope({ error: {} })],
    },
    'v2-accepts-array': {
      pass: [v2Response(), withOptions(64, {})],
      error: [
        ...[v2Option(), { 0: v2Option() }, undefined].map((accepts) => withEnvelope({ accepts })),
        withOptions(1, 'free'),
        // Every entry must be an object, also the entries after the first 64.
        ...[null, 'free', [v2Option()]].map((odd) => withOptions(64, odd)),
      ],
    },
    'v2-accepts-nonempty': { pass: [v2Response()], error: [withOptions(0)], skip: [NO_LIST] },
    'v2-accepts-max': {
      pass: [withOptions(16)],
      warning: [withOptions(17), withEnvelope({ accepts: Array(5_000).fill({}) })],
      skip: [NO_LIST, withOptions(0)],
    },
  },
});

test.each([
  ['v2-header-present', VERSION_1_ONLY, 'no PAYMENT-REQUIRED header, so directories find no envelope.'],
  ['v2-header-single', withValue(VALID, VALID), 'sent 2 times'],
  ['v2-json-unique-keys', DUPLICATE_PAYEE, '"accepts[0].payTo" occurs twice'],
  ['v2-json-unique-keys', LONE_SURROGATE, '\uFFFD" occurs twice'],
  ['v2-accepts-max', withOptions(100), 'contains 100 payment options'],
])('%s explains the failure', (id, response, text) => {
  expect(getCheck(readChallenge(response), id).message).toContain(text);
});

test('a header that clients cannot read has options that are still listed for people', () => {
  expect(readChallenge(withHeaders([['X-Payment-Required', VALID]])).options).toMatchObject([
    { network: 'eip155:8453', amount: 10_000n },
  ]);
});
