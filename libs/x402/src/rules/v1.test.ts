import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { V1_OPTION_RULES } from './v1-options.ts';
import { V1_RULES } from './v1.ts';
import {
  checkOf,
  resultOf,
  v1Envelope,
  v1Option,
  v1Response,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

function read(envelope: Bag): Challenge {
  return readChallenge(v1Response(envelope));
}

describe('the body', () => {
  test('names its version by a number', () => {
    expect(resultOf(read(v1Envelope({ x402Version: '1' })), 'v1-version')).toBe('fail error');
    expect(resultOf(read(v1Envelope({ x402Version: undefined })), 'v1-version')).toBe('fail error');
  });

  test('has an error that is text, if any', () => {
    expect(resultOf(read(v1Envelope({ error: undefined })), 'v1-error')).toBe('pass');
    expect(resultOf(read(v1Envelope({ error: null })), 'v1-error')).toBe('fail warning');
  });

  test('offers something', () => {
    for (const accepts of [[], undefined, 'base', { 0: v1Option() }]) {
      const challenge = read(v1Envelope({ accepts }));
      expect(resultOf(challenge, 'v1-accepts-nonempty')).toBe('fail error');
      expect(resultOf(challenge, 'v1-all-entries-parse')).toBe('skip');
    }
  });

  test('is broken for version 1 clients by one bad entry', () => {
    const challenge = read(v1Envelope({ accepts: [v1Option(), v1Option({ network: 'eip155:137' }), null] }));
    expect(checkOf(challenge, 'v1-all-entries-parse').message).toContain('2 of 3 options');
  });

  test('is broken by an entry beyond those that are read', () => {
    const accepts = [...Array.from({ length: 64 }, () => v1Option()), null];
    expect(checkOf(read(v1Envelope({ accepts })), 'v1-all-entries-parse')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining('1 of 65 options') as unknown,
    });
  });

  test('is not read to the end when it is broken all over', () => {
    const body = JSON.stringify({ x402Version: 1, accepts: Array.from({ length: 87_000 }, () => ({})) });
    const started = performance.now();
    const challenge = readChallenge(v1Response(undefined, { body }));
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(checkOf(challenge, 'v1-all-entries-parse').message).toContain('more than 64 of 87000 options');
  });

  test.each([
    [64, '64 of 64 options'],
    [65, 'more than 64 of 65 options'],
  ])('says of %i bad entries that they are %s', (length, share) => {
    const { message } = checkOf(
      read(v1Envelope({ accepts: Array.from({ length }, () => ({})) })),
      'v1-all-entries-parse',
    );
    expect(message).toContain(`cannot parse ${share}`);
  });

  test('that calls itself JSON must be an object when there is no header', () => {
    const broken = v1Response(undefined, { body: '{"x402Version":1,' });
    expect(resultOf(readChallenge(broken), 'v1-body-json')).toBe('fail error');
    expect(
      resultOf(readChallenge({ ...broken, headers: [['content-type', 'text/html']] }), 'v1-body-json'),
    ).toBe('skip');
    expect(resultOf(readChallenge(v2Response(undefined, { body: 'oops' })), 'v1-body-json')).toBe('skip');
  });

  test('that attempts no version 1 is not held to its rules', () => {
    const challenge = readChallenge(v2Response());
    const results = [...V1_RULES, ...V1_OPTION_RULES].map(({ id }) => resultOf(challenge, id));
    expect(results).toHaveLength(19);
    expect(new Set(results)).toEqual(new Set(['skip']));
  });
});
