import { describe, expect, test } from 'vitest';
import { readChallenge, readFailedRequest } from '../../challenge/read-challenge.ts';
import { readListing } from '../../listing/read-listing.ts';
import { HTTP_RULES } from './http-rules.ts';
import {
  getCheck,
  encode,
  getResult,
  REQUEST_URL,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from '../../testing/fixtures.ts';
import type { Challenge, ChallengeResponse } from '../../types.ts';

const IDS = new Set(HTTP_RULES.map(({ id }) => id));

/** Returns the ids of the failed HTTP rules. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function readStatus(status: number, headers: [string, string][] = []): Challenge {
  return readChallenge({ url: REQUEST_URL, status, headers, body: null });
}

test('no HTTP rule fails for a correct response', () => {
  for (const response of [v2Response(), v1Response()]) {
    expect(faults(readChallenge({ ...response, method: 'GET' }, { secondResponse: response }))).toEqual([]);
  }
});

test('a missing response is one finding with its reason', () => {
  const challenge = readFailedRequest(REQUEST_URL, 'the connection was refused');
  const failed = challenge.checks.filter(({ result }) => result === 'fail');
  expect(failed.map(({ id, message }) => [id, message])).toEqual([
    ['http-reachable', 'The endpoint did not respond: the connection was refused.'],
  ]);
  expect(challenge.checks.filter(({ result }) => result === 'pass')).toEqual([]);
  expect(challenge.verdict).toBe('unpayable');
});

describe('http-status-402', () => {
  test.each([
    [402, 'pass', ''],
    [200, 'fail error', 'requires no payment'],
    [204, 'fail error', 'requires no payment'],
    [302, 'fail error', 'was redirected'],
    [404, 'fail error', 'path does not exist'],
    [405, 'fail error', 'does not support this method'],
    [501, 'fail error', 'does not support this method'],
    [503, 'fail error', 'the server failed'],
    [418, 'fail error', 'only 402'],
  ])('%i: %s', (status, result, text) => {
    const challenge = readStatus(status);
    expect(getResult(challenge, 'http-status-402')).toBe(result);
    if (result !== 'pass') expect(getCheck(challenge, 'http-status-402').message).toContain(text);
  });

  test.each([400, 401, 403, 407, 415, 422, 429])(
    'skips %i, which does not show whether payment is required',
    (status) => {
      expect(getResult(readStatus(status), 'http-status-402')).toBe('skip');
      expect(faults(readStatus(status))).toEqual([]);
    },
  );

  test('reads an envelope with another status, but does not call it payable', () => {
    const challenge = readChallenge(v2Response(v2Envelope(), { status: 200 }));
    expect(faults(challenge)).toEqual(['http-status-402']);
    expect(challenge.options).toHaveLength(1);
    expect(challenge.payable).toEqual({ v1: false, v2: false });
  });
});

test('redirects and server errors are separate findings', () => {
  const redirect = readStatus(307, [['LOCATION', 'https://evil.example/\u001B[31m']]);
  expect(faults(redirect)).toEqual(['http-status-402', 'http-no-redirect']);
  expect(getCheck(redirect, 'http-no-redirect').message).toContain(
    String.raw`"https://evil.example/\u001b[31m"`,
  );
  expect(faults(readStatus(304))).toEqual(['http-status-402']);
  expect(faults(readStatus(599))).toEqual(['http-status-402', 'http-not-5xx']);
  expect(faults(readStatus(501))).toEqual(['http-status-402']);
});

describe('http-https', () => {
  const plain = 'http://api.example.com/v1/weather';
  const onTestnet = v2Envelope({ accepts: [v2Option({ network: 'eip155:84532' })] });

  test.each<[string, ChallengeResponse, string]>([
    ['main network', v2Response(v2Envelope(), { url: plain }), 'fail error'],
    ['main network in the body', v1Response(v1Envelope(), { url: plain }), 'fail error'],
    ['test network', v2Response(onTestnet, { url: plain }), 'fail warning'],
    ['test network over https', v2Response(onTestnet), 'pass'],
    ['no option', v2Response(v2Envelope({ accepts: [] }), { url: plain }), 'skip'],
    ['a loopback host', v2Response(v2Envelope(), { url: 'http://127.0.0.1:4021/' }), 'skip'],
    ['no URL', v2Response(v2Envelope(), { url: 'the weather' }), 'skip'],
    ['another scheme', v2Response(v2Envelope(), { url: 'mcp://tool.example.com/weather' }), 'skip'],
  ])('%s', (_, response, result) => {
    expect(getResult(readChallenge(response), 'http-https')).toBe(result);
  });
});

describe('http-declared-method-402', () => {
  const schema = { input: { type: 'http', method: 'post' } };
  const inBody = v1Envelope({ accepts: [v1Option({ outputSchema: schema })] });
  const inHeader = v2Envelope({ extensions: { bazaar: { info: schema } } });
  const outcome = (response: ChallengeResponse): string =>
    getResult(readChallenge(response), 'http-declared-method-402');

  test('reads the method from the header, else from the body', () => {
    expect(outcome(v1Response(inBody, { method: 'POST' }))).toBe('pass');
    expect(outcome(v1Response(inBody, { method: 'post', status: 200 }))).toBe('fail error');
    expect(outcome(v2Response(inHeader, { method: 'POST' }))).toBe('pass');
    expect(outcome(v2Response(inHeader, { method: 'POST', body: JSON.stringify(inBody) }))).toBe('pass');
    expect(outcome(v2Response(v2Envelope({ extensions: null }), { method: 'POST' }))).toBe('skip');
  });

  test('reads the method from the listing, even for a response without a challenge', () => {
    const result = readListing({ resource: REQUEST_URL, accepts: [v1Option({ outputSchema: schema })] });
    const listing = result.ok ? result.listing : null;
    const request = (method: string, status: number): string =>
      getResult(
        readChallenge({ url: REQUEST_URL, method, status, headers: [], body: null }, { listing }),
        'http-declared-method-402',
      );
    expect(request('POST', 404)).toBe('fail error');
    expect(request('GET', 404)).toBe('skip');
    expect(request('POST', 501)).toBe('fail error');
    for (const status of [302, 401, 429, 500]) expect(request('POST', status)).toBe('skip');
  });

  test('skips unknown HTTP methods and requests whose method is not known', () => {
    const brewing = v2Envelope({ extensions: { bazaar: { info: { input: { method: 'BREW' } } } } });
    expect(outcome(v2Response(brewing, { method: 'BREW' }))).toBe('skip');
    expect(outcome(v2Response(inHeader))).toBe('skip');
    expect(outcome(v2Response(inHeader, { method: null }))).toBe('skip');
  });
});

describe('http-cache-control', () => {
  const check = (...values: string[]): string => {
    const fields = values.map((value): [string, string] => ['CACHE-CONTROL', value]);
    const headers: [string, string][] = [['Payment-Required', encode(v2Envelope())], ...fields];
    return getResult(readChallenge(v2Response(v2Envelope(), { headers })), 'http-cache-control');
  };

  test.each([
    ['no-store', 'pass'],
    ['private, max-age=60', 'pass'],
    ['max-age=0, No-Store', 'pass'],
    ['', 'fail warning'],
    [' , ', 'fail warning'],
    ['no-cache', 'fail warning'],
    ['max-age=600, no-cache', 'fail warning'],
    ['max-age=0', 'fail warning'],
    ['max-age=soon', 'fail warning'],
    ['public', 'fail error'],
    ['public, max-age=600', 'fail error'],
    ['s-maxage=30', 'fail error'],
    ['max-age="30"', 'fail error'],
    ['max-age=01', 'fail error'],
  ])('%s: %s', (value, result) => {
    expect(check(value)).toBe(result);
  });

  test('combines several header fields into one list', () => {
    expect(check('max-age=600', 'no-store')).toBe('pass');
    expect(check()).toBe('fail warning');
  });

  test('a version 1 response may omit Cache-Control, but may not allow caching', () => {
    expect(getResult(readChallenge(v1Response()), 'http-cache-control')).toBe('skip');
    const cached = v1Response(undefined, { headers: [['cache-control', 'public, max-age=60']] });
    expect(getResult(readChallenge(cached), 'http-cache-control')).toBe('fail error');
    expect(getCheck(readChallenge(cached), 'http-cache-control').axis).toBe('hygiene');
  });
});

test.each([
  ['application/json', 'pass'],
  ['Application/JSON; charset=utf-8', 'pass'],
  ['application/problem+json', 'pass'],
  ['text/html', 'fail warning'],
  ['text/plain; note=application/json', 'fail warning'],
  [null, 'fail warning'],
])('a version 1 challenge with content type %s: %s', (type, result) => {
  const headers: [string, string][] = type === null ? [] : [['content-type', type]];
  expect(getResult(readChallenge(v1Response(v1Envelope(), { headers })), 'http-v1-content-type')).toBe(
    result,
  );
});

test.each<[string, [string, string][], string]>([
  ['not allowed', [], 'skip'],
  ['all origins, no header exposed', [['access-control-allow-origin', '*']], 'fail warning'],
  [
    'one of two headers exposed',
    [
      ['access-control-allow-origin', 'https://a.example'],
      ['access-control-expose-headers', 'PAYMENT-REQUIRED'],
    ],
    'fail warning',
  ],
  [
    'both headers exposed, in two fields',
    [
      ['access-control-allow-origin', '*'],
      ['Access-Control-Expose-Headers', 'x-trace, payment-required'],
      ['access-control-expose-headers', 'Payment-Response'],
    ],
    'pass',
  ],
  [
    'wildcard',
    [
      ['access-control-allow-origin', '*'],
      ['access-control-expose-headers', '*'],
    ],
    'pass',
  ],
  [
    'wildcard with credentials, which is a literal name',
    [
      ['access-control-allow-origin', 'https://a.example'],
      ['access-control-allow-credentials', 'true'],
      ['access-control-expose-headers', '*'],
    ],
    'fail warning',
  ],
])('cross-origin access: %s', (...[, fields, result]) => {
  const { headers, ...response } = v2Response();
  const challenge = readChallenge({ ...response, headers: [...headers, ...fields] });
  expect(getResult(challenge, 'http-cors-expose')).toBe(result);
});

test.each([
  [1_000, 'pass', 'hygiene'],
  [7_000, 'fail warning', 'hygiene'],
  [13_000, 'fail error', 'payable'],
  [60_000, 'fail error', 'payable'],
])('a header padded by %i characters: %s', (length, result, axis) => {
  const challenge = readChallenge(v2Response(v2Envelope({ error: 'x'.repeat(length) })));
  expect(getResult(challenge, 'http-challenge-size')).toBe(result);
  expect(getCheck(challenge, 'http-challenge-size').axis).toBe(axis);
});

test('a 402 without an envelope is a finding', () => {
  expect(faults(readStatus(402))).toEqual(['envelope-present']);
  const twice = [...v2Response().headers, ['payment-required', encode(v2Envelope())] as const];
  expect(getResult(readChallenge(v2Response(undefined, { headers: twice })), 'envelope-present')).toBe(
    'skip',
  );
  expect(getResult(readChallenge(v2Response({ x402Version: 7 })), 'envelope-present')).toBe('fail error');
});
