import { describe, expect, test } from 'vitest';
import { encode, failures, resultOf, v1Response, v2Envelope, v2Response } from './test-fixtures.ts';
import { readChallenge } from './read-challenge.ts';

test('another status is the one finding about an answer without an envelope', () => {
  const challenge = readChallenge({
    url: 'https://a.example/',
    status: 404,
    headers: [],
    body: '{"error":"gone"}',
  });
  expect(failures(challenge)).toEqual(['http-status-402']);
  expect(challenge.checks.filter(({ result }) => result === 'pass')).toEqual([]);
  expect(challenge.verdict).toBe('unpayable');
});

test('an envelope under another status is still read, and cannot be paid', () => {
  const challenge = readChallenge(v2Response(v2Envelope(), { status: 200 }));
  expect(failures(challenge)).toEqual(['http-status-402']);
  expect(challenge.options).toHaveLength(1);
  expect(challenge.payable).toEqual({ v1: false, v2: false });
});

test('a 402 must carry an envelope', () => {
  const challenge = readChallenge({
    url: 'https://a.example/',
    status: 402,
    headers: [],
    body: '<h1>Pay</h1>',
  });
  expect(failures(challenge)).toEqual(['envelope-present', 'v2-header-present']);
  expect(resultOf(readChallenge(v2Response()), 'envelope-present')).toBe('pass');
  expect(resultOf(readChallenge(v1Response()), 'envelope-present')).toBe('pass');
});

describe('http-cache-control', () => {
  const check = (value: string | null): string => {
    const headers: [string, string][] = [['Payment-Required', encode(v2Envelope())]];
    if (value !== null) headers.push(['CACHE-CONTROL', value]);
    return resultOf(readChallenge(v2Response(v2Envelope(), { headers })), 'http-cache-control');
  };

  test.each([
    ['no-store', 'pass'],
    ['private, max-age=60', 'pass'],
    ['max-age=0, No-Store', 'pass'],
    [null, 'fail warning'],
    ['no-cache', 'fail warning'],
    ['max-age=0', 'fail warning'],
    ['public', 'fail error'],
    ['public, max-age=600', 'fail error'],
    ['s-maxage=30', 'fail error'],
    ['max-age=01', 'fail error'],
  ])('%s: %s', (value, result) => {
    expect(check(value)).toBe(result);
  });

  test('silence is no fault of a version 1 server; inviting caches is', () => {
    expect(resultOf(readChallenge(v1Response()), 'http-cache-control')).toBe('skip');
    const cached = v1Response(undefined, { headers: [['cache-control', 'public, max-age=60']] });
    expect(readChallenge(cached).verdict).toBe('warnings');
  });
});

test.each([
  [1_000, 'pass', 'pass'],
  [7_000, 'fail warning', 'warnings'],
  [13_000, 'fail error', 'errors'],
])('a header padded by %i characters: %s, %s', (length, result, verdict) => {
  const challenge = readChallenge(v2Response(v2Envelope({ extensions: { pad: 'x'.repeat(length) } })));
  expect(resultOf(challenge, 'http-challenge-size')).toBe(result);
  expect(challenge.verdict).toBe(verdict);
});

test('a header nobody reads is an error of its own', () => {
  const challenge = readChallenge(v2Response(v2Envelope({ extensions: { pad: 'x'.repeat(60_000) } })));
  expect(failures(challenge)).toEqual(['envelope-present', 'http-challenge-size']);
  expect(challenge.verdict).toBe('unpayable');
});
