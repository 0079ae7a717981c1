import { describe, expect, test } from 'vitest';
import {
  encode,
  failures,
  resultOf,
  v1Envelope,
  v1Option,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from './test-fixtures.ts';
import { readChallenge } from './read-challenge.ts';
import type { Challenge } from './types.ts';

function read(change: Bag): Challenge {
  return readChallenge(v2Response(v2Envelope(change)));
}

function readHeaders(headers: [string, string][], body = '{}'): Challenge {
  return readChallenge(v2Response(undefined, { headers: [['cache-control', 'no-store'], ...headers], body }));
}

describe('the header', () => {
  test('is missed, gravely unless the body can be paid', () => {
    expect(resultOf(readHeaders([]), 'v2-header-present')).toBe('fail error');
    const unpayable = JSON.stringify(v1Envelope({ accepts: [v1Option({ payTo: '' })] }));
    expect(resultOf(readHeaders([], unpayable), 'v2-header-present')).toBe('fail error');
    const legacy = readHeaders([], JSON.stringify(v1Envelope()));
    expect(resultOf(legacy, 'v2-header-present')).toBe('fail warning');
    expect(legacy.verdict).toBe('pass');
  });

  test('has one name', () => {
    const misnamed = readHeaders([['X-Payment-Required', encode(v2Envelope())]]);
    expect(failures(misnamed)).toEqual(['envelope-present', 'v2-header-present', 'v2-header-name']);
    expect(misnamed.verdict).toBe('unpayable');
    expect(misnamed.options).toEqual([]);
    const both = readHeaders([
      ['x-payment-required', 'x'],
      ['payment-required', encode(v2Envelope())],
    ]);
    expect(both.verdict).toBe('pass');
  });

  test.each([
    ['bare JSON', JSON.stringify(v2Envelope()), 'v2-base64-standard'],
    ['no JSON', btoa('pay me'), 'v2-json'],
    ['a JSON list', encode([v2Envelope()]), 'v2-json'],
  ])('with %s fails %s and nothing beyond', (_, value, id) => {
    const challenge = readHeaders([['PAYMENT-REQUIRED', value]]);
    expect(failures(challenge)).toEqual(['envelope-present', id]);
    expect(challenge.verdict).toBe('unpayable');
  });

  test('given twice is one no client can read', () => {
    const field: [string, string] = ['PAYMENT-REQUIRED', encode(v2Envelope())];
    expect(readHeaders([field, field]).payable.v2).toBe(false);
  });
});

describe('the envelope', () => {
  test.each<[string, Bag, string, string]>([
    ['version as text', { x402Version: '2' }, 'v2-version', 'fail error'],
    ['no version', { x402Version: undefined }, 'v2-version', 'fail error'],
    ['error of null', { error: null }, 'v2-error-type', 'pass'],
    ['no error', { error: undefined }, 'v2-error-type', 'pass'],
    ['error of an object', { error: {} }, 'v2-error-type', 'fail warning'],
    ['resource as text', { resource: 'https://a.example/' }, 'v2-resource-object', 'fail error'],
    ['no resource', { resource: undefined }, 'v2-resource-object', 'fail error'],
    ['no resource, so no URL to judge', { resource: undefined }, 'v2-resource-url', 'skip'],
    ['a relative URL', { resource: { url: '/v1/weather' } }, 'v2-resource-url', 'fail error'],
    [
      'a relative URL, so none to compare',
      { resource: { url: '/v1/weather' } },
      'v2-resource-url-matches',
      'skip',
    ],
    [
      'another path',
      { resource: { url: 'https://api.example.com/' } },
      'v2-resource-url-matches',
      'fail warning',
    ],
    [
      'another host',
      { resource: { url: 'http://localhost:3000/v1/weather' } },
      'v2-resource-url-matches',
      'fail warning',
    ],
    ['no description', { resource: { url: 'https://a.example/' } }, 'v2-description', 'fail warning'],
    ['a long description', { resource: { description: 'x'.repeat(501) } }, 'v2-description', 'fail error'],
    ['options that are no list', { accepts: { 0: v2Option() } }, 'v2-accepts-array', 'fail error'],
    ['options that are no list, so none to count', { accepts: 'none' }, 'v2-accepts-nonempty', 'skip'],
    ['an option that is no object', { accepts: [v2Option(), 'free'] }, 'v2-accepts-array', 'fail error'],
    ['no options', { accepts: [] }, 'v2-accepts-nonempty', 'fail error'],
  ])('with %s', (...[, change, id, result]) => {
    expect(resultOf(read(change), id)).toBe(result);
  });

  test('passes as the textbook has it', () => {
    const challenge = read({});
    const judged = challenge.checks.filter(({ id, result }) => id.startsWith('v2-') && result !== 'skip');
    expect(judged.every(({ result }) => result === 'pass')).toBe(true);
    expect(judged.length).toBeGreaterThan(20);
  });

  test('what only directories want lowers no verdict', () => {
    const challenge = read({
      resource: { url: 'https://api.example.com/v1/weather', description: 'x'.repeat(501) },
    });
    expect(failures(challenge)).toEqual(['v2-description']);
    expect(challenge.verdict).toBe('pass');
  });

  test('a route template covers the path that was asked', () => {
    const challenge = read({
      resource: { url: 'https://api.example.com/v1/:topic', description: 'By topic' },
      extensions: { bazaar: { routeTemplate: '/v1/:topic' } },
    });
    expect(resultOf(challenge, 'v2-resource-url-matches')).toBe('pass');
  });

  test('without a resource has errors, and is payable all the same', () => {
    const challenge = read({ resource: undefined });
    expect(challenge.payable.v2).toBe(true);
    expect(challenge.verdict).toBe('errors');
  });
});
