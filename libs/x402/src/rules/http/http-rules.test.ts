import { describe, expect, test } from 'vitest';
import { readChallenge, readFailedRequest, type ChallengeContext } from '../../read-challenge.ts';
import { readListing } from '../../listing/read-listing.ts';
import { HTTP_RULES } from './http-rules.ts';
import {
  encode,
  getCheck,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Offer,
  v2Response,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge, ChallengeResponse } from '../../types.ts';

/** Response with its context. A string in place of the response is the reason why no response arrived. */
type Example = readonly [response: ChallengeResponse | string, context?: ChallengeContext];
type Headers = [name: string, value: string][];

const PLAIN_URL = 'http://api.example.com/v1/weather';
const POST_INPUT = { input: { type: 'http', method: 'post' } };
const POST_IN_BODY = v1Envelope({ accepts: [v1Option({ outputSchema: POST_INPUT })] });
const POST_IN_HEADER = v2Envelope({ extensions: { bazaar: { info: POST_INPUT } } });
const UNKNOWN_METHOD = v2Envelope({ extensions: { bazaar: { info: { input: { method: 'BREW' } } } } });
const ON_TESTNET = v2Offer({ network: 'eip155:84532' });

function read([response, context]: Example): Challenge {
  if (typeof response === 'string') return readFailedRequest(REQUEST_URL, response);
  return readChallenge(response, context);
}

function respond(status: number, headers: Headers = [], body: string | null = null): Example {
  return [{ url: REQUEST_URL, status, headers, body }];
}

/** Creates examples without an envelope, for an endpoint whose directory listing declares POST. */
function respondToPost(method: string | null, ...statuses: readonly number[]): Example[] {
  const result = readListing({ resource: REQUEST_URL, accepts: [v1Option({ outputSchema: POST_INPUT })] });
  const context = { listing: result.ok ? result.listing : null };
  return statuses.map((status) => [{ url: REQUEST_URL, method, status, headers: [], body: null }, context]);
}

/** Creates an example that declares POST, for a challenge to another method and the response to the declared method. */
function respondToOther(method: string, declaredMethod: ChallengeContext['declaredMethod']): Example {
  return [v2Response(POST_IN_HEADER, { method }), { declaredMethod }];
}

/** Creates an example with an envelope in the header, and with the given other headers. */
function withHeaders(...headers: Headers): Example {
  return [v2Response(undefined, { headers: [['Payment-Required', encode(v2Envelope())], ...headers] })];
}

function withCacheControl(...values: readonly string[]): Example[] {
  return values.map((value) => withHeaders(['CACHE-CONTROL', value]));
}

function withContentType(...types: readonly string[]): Example[] {
  return types.map((type) => [v1Response(undefined, { headers: [['content-type', type]] })]);
}

/** Creates an example that allows requests from every origin (CORS), with the given other headers. */
function withOrigin(...headers: Headers): Example {
  return withHeaders(['cache-control', 'no-store'], ['access-control-allow-origin', '*'], ...headers);
}

/** Creates an example whose header is padded by the given number of characters. */
function withPadding(length: number): Example {
  return [v2Response(v2Envelope({ error: 'x'.repeat(length) }))];
}

testRules<Example>({
  rules: HTTP_RULES.filter(({ id }) => id !== 'terms-stable'),
  read,
  // The examples with other headers have no Cache-Control.
  overlaps: { 'http-body-complete': ['http-cache-control'] },
  cases: {
    'http-reachable': { pass: [[v2Response()]], error: [['the connection was refused']] },
    'http-status-402': {
      pass: [respond(402)],
      error: [
        ...[200, 204, 404, 405, 418, 501].map((status) => respond(status)),
        ...respondToPost('POST', 404, 405, 501),
        ...respondToPost(null, 404, 405, 501),
        ...respondToPost('GET', 200, 410, 418),
        [v2Response(v2Envelope(), { status: 200 })],
      ],
      skip: [
        // These statuses do not show whether payment is required.
        ...[400, 401, 403, 406, 407, 409, 411, 412, 415, 422, 426, 428, 429, 451].map((status) =>
          respond(status),
        ),
        // The rules `http-no-redirect` and `http-not-5xx` report these statuses.
        ...[respond(302), respond(308, [['location', '/v2/weather']]), respond(503)],
        ...respondToPost('GET', 302, 503),
        // The endpoint declares POST and was requested with GET or HEAD.
        ...respondToPost('GET', 404, 405, 501),
        ...respondToPost('head', 404, 405, 501),
        [v2Response(POST_IN_HEADER, { method: 'GET', status: 405 })],
      ],
    },
    'http-not-5xx': {
      pass: [respond(402)],
      error: [respond(502), respond(599)],
      skip: [respond(501)],
    },
    'http-no-redirect': {
      pass: [respond(402), respond(304)],
      warning: [
        respond(301, [['Location', `${REQUEST_URL}/`]]),
        [v2Response(undefined, { redirects: [{ status: 308, url: `${REQUEST_URL}/` }] })],
      ],
      // Clients cannot follow these redirects.
      'error on payable': [respond(307), respond(302, [['location', 'mailto:pay@example.com']])],
    },
    'http-interim-response': {
      pass: [[v2Response()], [v2Response(undefined, { interimStatuses: [102, 103] })]],
      warning: [[v2Response(undefined, { interimStatuses: [103, 100] })]],
      skip: [[{ ...v2Response(), status: 200, headers: [], interimStatuses: [100] }]],
    },
    'http-body-complete': {
      pass: [[v2Response()], [v1Response()]],
      error: [
        [v2Response(undefined, { bodyEnd: 'deadline' })],
        [v1Response(undefined, { bodyEnd: 'deadline' })],
        [v1Response(undefined, { bodyEnd: 'closed' })],
        [v1Response(undefined, { bodyEnd: 'undecodable' })],
        withHeaders(['content-encoding', 'gzip, gzip, gzip'], ['content-encoding', 'gzip, br, br']),
      ],
      warning: [
        [v2Response(undefined, { bodyEnd: 'closed' })],
        [v2Response(undefined, { bodyEnd: 'undecodable', body: null })],
      ],
      skip: [[v2Response(undefined, { bodyEnd: 'size-limit' })]],
    },
    'http-https': {
      pass: [[v2Response()], [ON_TESTNET]],
      error: [[v2Response(undefined, { url: PLAIN_URL })], [v1Response(undefined, { url: PLAIN_URL })]],
      warning: [[{ ...ON_TESTNET, url: PLAIN_URL }]],
      skip: [
        [{ ...v2Offer(), url: PLAIN_URL }],
        ...['http://127.0.0.1:4021/', 'the weather', 'mcp://tool.example.com/weather'].map((url): Example => [
          v2Response(undefined, { url }),
        ]),
      ],
    },
    'http-declared-method-402': {
      pass: [
        [v1Response(POST_IN_BODY, { method: 'POST' })],
        [v2Response(POST_IN_HEADER, { method: 'POST' })],
        [v2Response(POST_IN_HEADER, { method: 'POST', body: JSON.stringify(POST_IN_BODY) })],
        respondToOther('GET', { method: 'POST', status: 402 }),
      ],
      error: [...[200, 405, 501].map((status) => respondToOther('GET', { method: 'POST', status }))],
      warning: [...[404, 410, 500, 503].map((status) => respondToOther('GET', { method: 'POST', status }))],
      skip: [
        respondToOther('GET', { method: 'POST', status: null }),
        respondToOther('GET', { method: 'POST', status: 401 }),
        respondToOther('GET', { method: 'POST', status: 307 }),
        respondToOther('GET', { method: 'PUT', status: 500 }),
        respondToOther('GET', null),
        ...respondToPost('GET', 404),
        // Other rules report these statuses.
        ...respondToPost('POST', 302, 404, 500, 501),
        [v1Response(POST_IN_BODY, { method: 'post', status: 200 })],
        [v2Response(POST_IN_HEADER)],
        ...['GET', null].map((method): Example => [v2Response(POST_IN_HEADER, { method })]),
        [v2Response(v2Envelope({ extensions: null }), { method: 'POST' })],
        [v2Response(UNKNOWN_METHOD, { method: 'BREW' })],
      ],
    },
    'http-cache-control': {
      pass: [
        ...withCacheControl('no-store', 'private, max-age=60', 'max-age=0, No-Store'),
        withHeaders(['cache-control', 'max-age=600'], ['Cache-Control', 'no-store']),
      ],
      warning: [
        withHeaders(),
        ...withCacheControl('', ' , ', 'no-cache', 'max-age=600, no-cache', 'max-age=0', 'max-age=soon'),
      ],
      error: [
        ...withCacheControl('public', 'public, max-age=600', 's-maxage=30', 'max-age="30"', 'max-age=01'),
        // A version 1 response may omit Cache-Control, but may not allow caching.
        [
          v1Response(undefined, {
            headers: [
              ['content-type', 'application/json'],
              ['cache-control', 'public, max-age=60'],
            ],
          }),
        ],
      ],
      skip: [[v1Response()]],
    },
    'http-v1-content-type': {
      pass: withContentType('Application/JSON; charset=utf-8', 'application/problem+json'),
      warning: [
        ...withContentType('text/html', 'text/plain; note=application/json'),
        [v1Response(undefined, { headers: [] })],
      ],
      skip: [[v2Response()]],
    },
    'http-cors-expose': {
      pass: [
        withOrigin(
          ['Access-Control-Expose-Headers', 'x-trace, payment-required'],
          ['access-control-expose-headers', 'Payment-Response'],
        ),
        withOrigin(['access-control-expose-headers', '*']),
      ],
      warning: [
        withOrigin(),
        withOrigin(['access-control-expose-headers', 'PAYMENT-REQUIRED']),
        // If the response allows credentials, `*` is a literal header name.
        withOrigin(['access-control-allow-credentials', 'true'], ['access-control-expose-headers', '*']),
      ],
      skip: [[v2Response()]],
    },
    'http-challenge-size': {
      pass: [withPadding(1_000)],
      warning: [withPadding(7_000), withPadding(8_000)],
      'error on payable': [withPadding(13_000), withPadding(60_000)],
      skip: [[v1Response()]],
    },
    'envelope-present': {
      pass: [[v1Response()]],
      error: [
        ...[respond(402), respond(402, [], '<h1>Pay</h1>')],
        [{ ...v1Response(), headers: [], body: '<h1>Pay', bodyEnd: 'size-limit' }],
      ],
      skip: [
        respond(200),
        [v1Response(undefined, { bodyEnd: 'size-limit' })],
        // Other rules name the place of the envelope, or the reason why clients cannot read it.
        ...[
          v1Response(v2Envelope()),
          v2Response({ x402Version: 7 }),
          v2Response(undefined, { headers: [['payment-required', 'pay me']] }),
        ].map((response): Example => [response]),
        respond(402, [['X-Payment-Required', encode(v2Envelope())]]),
        [v1Response(undefined, { bodyEnd: 'closed' })],
        [{ ...v1Response(), body: '<h1>Pay' }],
      ],
    },
  },
});

describe('a message', () => {
  test.each<[number, string]>([
    [200, 'requires no payment'],
    [204, 'requires no payment'],
    [404, 'path does not exist'],
    [405, 'does not support this method'],
    [501, 'does not support this method'],
    [418, 'only 402'],
  ])('explains status %i', (status, text) => {
    expect(getCheck(read(respond(status)), 'http-status-402').message).toContain(text);
  });

  test('names the status when a payment envelope has another status', () => {
    expect(getCheck(read([v2Response(undefined, { status: 200 })]), 'http-status-402').message).toBe(
      'The unpaid request got status 200: the response has a payment envelope, which clients read only with status 402.',
    );
  });

  test('names the responses to both methods when only another method is challenged', () => {
    const example = respondToOther('GET', { method: 'POST', status: 500 });
    expect(getCheck(read(example), 'http-declared-method-402').message).toBe(
      'A request with the declared method POST got status 500 instead of 402, while GET got status 402. The empty request may be the cause.',
    );
  });

  test('quotes the target of a redirect without control characters', () => {
    const redirect = respond(307, [['LOCATION', 'https://evil.example/\u001B[31m']]);
    expect(getCheck(read(redirect), 'http-no-redirect').message).toContain(
      String.raw`"https://evil.example/\u001b[31m"`,
    );
  });
});
