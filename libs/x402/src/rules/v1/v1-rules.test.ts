import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { V1_OPTION_RULES } from './v1-option-rules.ts';
import { V1_RULES } from './v1-rules.ts';
import {
  getCheck,
  getResult,
  v1Envelope,
  v1Option,
  v1Response,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

function read(envelope: JsonObject): Challenge {
  return readChallenge(v1Response(envelope));
}

describe('the body', () => {
  test('must have a numeric version', () => {
    expect(getResult(read(v1Envelope({ x402Version: '1' })), 'v1-version')).toBe('fail error');
    expect(getResult(read(v1Envelope({ x402Version: undefined })), 'v1-version')).toBe('fail error');
  });

  test('may omit error, which must otherwise be a string', () => {
    expect(getResult(read(v1Envelope({ error: undefined })), 'v1-error')).toBe('pass');
    expect(getResult(read(v1Envelope({ error: null })), 'v1-error')).toBe('fail warning');
  });

  test('must contain an option', () => {
    for (const accepts of [[], undefined, 'base', { 0: v1Option() }]) {
      const challenge = read(v1Envelope({ accepts }));
      expect(getResult(challenge, 'v1-accepts-nonempty')).toBe('fail error');
      expect(getResult(challenge, 'v1-all-entries-parse')).toBe('skip');
    }
  });

  test('is unreadable for version 1 clients with one invalid entry', () => {
    const challenge = read(v1Envelope({ accepts: [v1Option(), v1Option({ network: 'eip155:137' }), null] }));
    expect(getCheck(challenge, 'v1-all-entries-parse').message).toContain('2 of 3 payment options');
  });

  test('is unreadable with an invalid entry beyond the first 64', () => {
    const accepts = [...Array.from({ length: 64 }, () => v1Option()), null];
    expect(getCheck(read(v1Envelope({ accepts })), 'v1-all-entries-parse')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining('1 of 65 payment options') as unknown,
    });
  });

  test('is not read to the end when all entries are invalid', () => {
    const body = JSON.stringify({ x402Version: 1, accepts: Array.from({ length: 87_000 }, () => ({})) });
    const started = performance.now();
    const challenge = readChallenge(v1Response(undefined, { body }));
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(getCheck(challenge, 'v1-all-entries-parse').message).toContain(
      'more than 64 of 87000 payment options',
    );
  });

  test.each([
    [64, '64 of 64 payment options'],
    [65, 'more than 64 of 65 payment options'],
  ])('counts %i invalid entries as %s', (length, share) => {
    const { message } = getCheck(
      read(v1Envelope({ accepts: Array.from({ length }, () => ({})) })),
      'v1-all-entries-parse',
    );
    expect(message).toContain(`cannot parse ${share}`);
  });

  test('with a JSON content type must be an object when there is no header', () => {
    const broken = v1Response(undefined, { body: '{"x402Version":1,' });
    expect(getResult(readChallenge(broken), 'v1-body-json')).toBe('fail error');
    expect(
      getResult(readChallenge({ ...broken, headers: [['content-type', 'text/html']] }), 'v1-body-json'),
    ).toBe('skip');
    expect(getResult(readChallenge(v2Response(undefined, { body: 'oops' })), 'v1-body-json')).toBe('skip');
  });

  test('without a version 1 envelope skips the version 1 rules', () => {
    const challenge = readChallenge(v2Response());
    const results = [...V1_RULES, ...V1_OPTION_RULES].map(({ id }) => getResult(challenge, id));
    expect(results).toHaveLength(19);
    expect(new Set(results)).toEqual(new Set(['skip']));
  });
});
