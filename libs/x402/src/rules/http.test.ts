import { describe, expect, test } from 'vitest';
import { readChallenge, readSilence } from '../read-challenge.ts';
import { readListing } from '../read-listing.ts';
import { HTTP_RULES } from './http.ts';
import {
  checkOf,
  encode,
  resultOf,
  URL_ASKED,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
} from '../testing/fixtures.ts';
import type { Challenge, ChallengeResponse } from '../types.ts';

const IDS = new Set(HTTP_RULES.map(({ id }) => id));

/** Ids of the rules of this table that failed. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function answered(status: number, headers: [string, string][] = []): Challenge {
  return readChallenge({ url: URL_ASKED, status, headers, body: null });
}

test('the textbook breaks none of these rules', () => {
  for (const response of [v2Response(), v1Response()]) {
    expect(faults(readChallenge({ ...response, method: 'GET' }, { again: response }))).toEqual([]);
  }
});

test('silence is one finding, and says why', () => {
  const challenge = readSilence(URL_ASKED, 'the connection was refused');
  const failed = challenge.checks.filter(({ result }) => result === 'fail');
  expect(failed.map(({ id, message }) => [id, message])).toEqual([
    ['http-reachable', 'No answer came: the connection was refused.'],
  ]);
  expect(challenge.checks.filter(({ result }) => result === 'pass')).toEqual([]);
  expect(challenge.verdict).toBe('unpayable');
});

describe('http-status-402', () => {
  test.each([
    [402, 'pass', 'The answer'],
    [200, 'fail error', 'not gated'],
    [204, 'fail error', 'not gated'],
    [302, 'fail error', 'sent elsewhere'],
    [404, 'fail error', 'nothing is served'],
    [405, 'fail error', 'does not take this method'],
    [501, 'fail error', 'does not take this method'],
    [503, 'fail error', 'the server failed'],
    [418, 'fail error', 'only 402'],
  ])('%i: %s', (status, result, words) => {
    const challenge = answered(status);
    expect(resultOf(challenge, 'http-status-402')).toBe(result);
    if (result !== 'pass') expect(checkOf(challenge, 'http-status-402').message).toContain(words);
  });

  test.each([400, 401, 403, 407, 415, 422, 429])('%i leaves it open', (status) => {
    expect(resultOf(answered(status), 'http-status-402')).toBe('skip');
    expect(faults(answered(status))).toEqual([]);
  });

  test('an envelope under another status is still read, and cannot be paid', () => {
    const challenge = readChallenge(v2Response(v2Envelope(), { status: 200 }));
    expect(faults(challenge)).toEqual(['http-status-402']);
    expect(challenge.options).toHaveLength(1);
    expect(challenge.payable).toEqual({ v1: false, v2: false });
  });
});

test('a redirect and a failing server are each called by their name', () => {
  const redirect = answered(307, [['LOCATION', 'https://evil.example/\u001B[31m']]);
  expect(faults(redirect)).toEqual(['http-status-402', 'http-no-redirect']);
  expect(checkOf(redirect, 'http-no-redirect').message).toContain(
    String.raw`"https://evil.example/\u001b[31m"`,
  );
  expect(faults(answered(304))).toEqual(['http-status-402']);
  expect(faults(answered(599))).toEqual(['http-status-402', 'http-not-5xx']);
  expect(faults(answered(501))).toEqual(['http-status-402']);
});

describe('http-https', () => {
  const plain = 'http://api.example.com/v1/weather';
  const onTestnet = v2Envelope({ accepts: [v2Option({ network: 'eip155:84532' })] });

  test.each<[string, ChallengeResponse, string]>([
    ['real money', v2Response(v2Envelope(), { url: plain }), 'fail error'],
    ['real money in the body', v1Response(v1Envelope(), { url: plain }), 'fail error'],
    ['test money', v2Response(onTestnet, { url: plain }), 'fail warning'],
    ['test money over https', v2Response(onTestnet), 'pass'],
    ['no option', v2Response(v2Envelope({ accepts: [] }), { url: plain }), 'skip'],
    ['a host at home', v2Response(v2Envelope(), { url: 'http://127.0.0.1:4021/' }), 'skip'],
    ['no URL', v2Response(v2Envelope(), { url: 'the weather' }), 'skip'],
    ['another scheme', v2Response(v2Envelope(), { url: 'mcp://tool.example.com/weather' }), 'skip'],
  ])('%s', (_, response, result) => {
    expect(resultOf(readChallenge(response), 'http-https')).toBe(result);
  });
});

describe('http-declared-method-402', () => {
  const schema = { input: { type: 'http', method: 'post' } };
  const inBody = v1Envelope({ accepts: [v1Option({ outputSchema: schema })] });
  const inHeader = v2Envelope({ extensions: { bazaar: { info: schema } } });
  const outcome = (response: ChallengeResponse): string =>
    resultOf(readChallenge(response), 'http-declared-method-402');

  test('is found in the header, else in the body', () => {
    expect(outcome(v1Response(inBody, { method: 'POST' }))).toBe('pass');
    expect(outcome(v1Response(inBody, { method: 'post', status: 200 }))).toBe('fail error');
    expect(outcome(v2Response(inHeader, { method: 'POST' }))).toBe('pass');
    expect(outcome(v2Response(inHeader, { method: 'POST', body: JSON.stringify(inBody) }))).toBe('pass');
    expect(outcome(v2Response(v2Envelope({ extensions: null }), { method: 'POST' }))).toBe('skip');
  });

  test('is found in the directory, even for an answer that is no challenge', () => {
    const result = readListing({ resource: URL_ASKED, accepts: [v1Option({ outputSchema: schema })] });
    const listing = result.ok ? result.listing : null;
    const ask = (method: string, status: number): string =>
      resultOf(
        readChallenge({ url: URL_ASKED, method, status, headers: [], body: null }, { listing }),
        'http-declared-method-402',
      );
    expect(ask('POST', 404)).toBe('fail error');
    expect(ask('GET', 404)).toBe('skip');
    expect(ask('POST', 501)).toBe('fail error');
    for (const status of [302, 401, 429, 500]) expect(ask('POST', status)).toBe('skip');
  });

  test('is unknown when it is none of HTTP or the request is not known', () => {
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
    return resultOf(readChallenge(v2Response(v2Envelope(), { headers })), 'http-cache-control');
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

  test('several fields are one list', () => {
    expect(check('max-age=600', 'no-store')).toBe('pass');
    expect(check()).toBe('fail warning');
  });

  test('silence is no fault of a version 1 server; inviting caches is', () => {
    expect(resultOf(readChallenge(v1Response()), 'http-cache-control')).toBe('skip');
    const cached = v1Response(undefined, { headers: [['cache-control', 'public, max-age=60']] });
    expect(resultOf(readChallenge(cached), 'http-cache-control')).toBe('fail error');
    expect(checkOf(readChallenge(cached), 'http-cache-control').axis).toBe('hygiene');
  });
});

test.each([
  ['application/json', 'pass'],
  ['Application/JSON; charset=utf-8', 'pass'],
  ['application/problem+json', 'pass'],
  ['text/html', 'fail warning'],
  ['text/plain; note=application/json', 'fail warning'],
  [null, 'fail warning'],
])('a version 1 challenge declared as %s: %s', (type, result) => {
  const headers: [string, string][] = type === null ? [] : [['content-type', type]];
  expect(resultOf(readChallenge(v1Response(v1Envelope(), { headers })), 'http-v1-content-type')).toBe(result);
});

test.each<[string, [string, string][], string]>([
  ['nobody', [], 'skip'],
  ['everybody, nothing exposed', [['access-control-allow-origin', '*']], 'fail warning'],
  [
    'one of two',
    [
      ['access-control-allow-origin', 'https://a.example'],
      ['access-control-expose-headers', 'PAYMENT-REQUIRED'],
    ],
    'fail warning',
  ],
  [
    'both, in two fields',
    [
      ['access-control-allow-origin', '*'],
      ['Access-Control-Expose-Headers', 'x-trace, payment-required'],
      ['access-control-expose-headers', 'Payment-Response'],
    ],
    'pass',
  ],
  [
    'a star',
    [
      ['access-control-allow-origin', '*'],
      ['access-control-expose-headers', '*'],
    ],
    'pass',
  ],
  [
    'a star that is a name, as credentials are let in',
    [
      ['access-control-allow-origin', 'https://a.example'],
      ['access-control-allow-credentials', 'true'],
      ['access-control-expose-headers', '*'],
    ],
    'fail warning',
  ],
])('pages of other origins: %s', (...[, fields, result]) => {
  const { headers, ...response } = v2Response();
  const challenge = readChallenge({ ...response, headers: [...headers, ...fields] });
  expect(resultOf(challenge, 'http-cors-expose')).toBe(result);
});

test.each([
  [1_000, 'pass', 'hygiene'],
  [7_000, 'fail warning', 'hygiene'],
  [13_000, 'fail error', 'payable'],
  [60_000, 'fail error', 'payable'],
])('a header padded by %i characters: %s', (length, result, axis) => {
  const challenge = readChallenge(v2Response(v2Envelope({ error: 'x'.repeat(length) })));
  expect(resultOf(challenge, 'http-challenge-size')).toBe(result);
  expect(checkOf(challenge, 'http-challenge-size').axis).toBe(axis);
});

test('a 402 must carry an envelope', () => {
  expect(faults(answered(402))).toEqual(['envelope-present']);
  const twice = [...v2Response().headers, ['payment-required', encode(v2Envelope())] as const];
  expect(resultOf(readChallenge(v2Response(undefined, { headers: twice })), 'envelope-present')).toBe('skip');
  expect(resultOf(readChallenge(v2Response({ x402Version: 7 })), 'envelope-present')).toBe('fail error');
});
