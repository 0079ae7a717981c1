import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './header-rules.ts';
import {
  getCheck,
  encode,
  getResult,
  v1Envelope,
  v1Option,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

const IDS = new Set(['envelope-present', ...[...V2_HEADER_RULES, ...V2_ACCEPTS_RULES].map(({ id }) => id)]);

/** Returns the ids of the failed rules on the PAYMENT-REQUIRED header, including `envelope-present`. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function read(change: JsonObject): Challenge {
  return readChallenge(v2Response(v2Envelope(change)));
}

function readHeaders(headers: [string, string][], body = '{}'): Challenge {
  return readChallenge(v2Response(undefined, { headers: [['cache-control', 'no-store'], ...headers], body }));
}

/** Reads a challenge whose PAYMENT-REQUIRED header contains the given JSON text. */
function readJson(text: string): Challenge {
  return readHeaders([['PAYMENT-REQUIRED', btoa(text)]]);
}

test('a correct response passes all rules on the PAYMENT-REQUIRED header', () => {
  const checked = read({}).checks.filter(({ id, result }) => IDS.has(id) && result !== 'skip');
  expect(checked.every(({ result }) => result === 'pass')).toBe(true);
  expect(checked.length).toBe(IDS.size);
});

describe('the header', () => {
  test('is required; without it, a payable body lowers the severity', () => {
    expect(getResult(readHeaders([]), 'v2-header-present')).toBe('fail error');
    expect(getResult(readHeaders([['payment-required', ' ']]), 'v2-header-present')).toBe('fail error');
    const unpayable = JSON.stringify(v1Envelope({ accepts: [v1Option({ payTo: '' })] }));
    expect(getResult(readHeaders([], unpayable), 'v2-header-present')).toBe('fail error');
    const legacy = readHeaders([], JSON.stringify(v1Envelope()));
    expect(getResult(legacy, 'v2-header-present')).toBe('fail warning');
    expect(getCheck(legacy, 'v2-header-present').axis).toBe('discoverable');
    expect(getCheck(legacy, 'v2-header-present').message).toBe(
      'There is no PAYMENT-REQUIRED header, so directories find no envelope.',
    );
  });

  test('must be named PAYMENT-REQUIRED', () => {
    const misnamed = readHeaders([['X-Payment-Required', encode(v2Envelope())]]);
    expect(faults(misnamed)).toEqual(['envelope-present', 'v2-header-name']);
    expect(misnamed.verdict).toBe('unpayable');
    // Clients ignore a misnamed header, so the challenge is unpayable. Its options are still listed for people.
    expect(misnamed.options).toMatchObject([{ network: 'eip155:8453', amount: 10_000n }]);
    const both = readHeaders([
      ['x-payment-required', 'x'],
      ['payment-required', encode(v2Envelope())],
    ]);
    expect(getResult(both, 'v2-header-name')).toBe('pass');
    expect(faults(readHeaders([['x-payment', '']]))).toEqual(['envelope-present', 'v2-header-present']);
  });

  test('ignores headers named like prototype members', () => {
    const proto = readHeaders([
      ['__proto__', encode(v2Envelope())],
      ['constructor', 'x'],
    ]);
    expect(faults(proto)).toEqual(['envelope-present', 'v2-header-present']);
  });

  test.each([
    ['plain JSON', JSON.stringify(v2Envelope()), 'v2-base64-standard'],
    ['the wrong padding', 'QQ=', 'v2-base64-standard'],
    ['spaces', encode(v2Envelope()).replace(/^.{8}/, '$& '), 'v2-base64-standard'],
    ['text that is not JSON', btoa('pay me'), 'v2-json'],
    ['only spaces', btoa('  '), 'v2-json'],
    ['UTF-16', btoa(JSON.stringify(v2Envelope()).split('').join('\0')), 'v2-json'],
    ['a JSON list', encode([v2Envelope()]), 'v2-json'],
    ['NaN', btoa('{"x402Version":2,"amount":NaN}'), 'v2-json-strict'],
  ])('with %s has one finding', (_, value, id) => {
    const challenge = readHeaders([['PAYMENT-REQUIRED', value]]);
    expect(faults(challenge)).toEqual(['envelope-present', id]);
    expect(challenge.verdict).toBe('unpayable');
  });

  test('over the length limit is reported only by the size rule', () => {
    const long = readHeaders([['PAYMENT-REQUIRED', 'A'.repeat(100_000)]]);
    expect(faults(long)).toEqual(['envelope-present']);
    for (const id of ['v2-base64-standard', 'v2-json', 'v2-json-strict', 'v2-json-unique-keys']) {
      expect(getResult(long, id)).toBe('skip');
    }
  });

  test('sent twice cannot be read by clients', () => {
    const field: [string, string] = ['PAYMENT-REQUIRED', encode(v2Envelope())];
    const twice = readHeaders([field, ['payment-required', field[1]]]);
    expect(faults(twice)).toEqual(['v2-header-single', 'v2-base64-standard']);
    expect(getResult(twice, 'v2-header-single')).toBe('fail warning');
    expect(twice.payable.v2).toBe(false);
    expect(getCheck(twice, 'v2-base64-standard').message).toContain('several times');
  });

  test('with invalid UTF-8 bytes is a warning', () => {
    const challenge = readJson(JSON.stringify(v2Envelope()).replace('Skies', 'Ski\u00e9s'));
    expect(getResult(challenge, 'v2-json')).toBe('fail warning');
    expect(getCheck(challenge, 'v2-json').axis).toBe('hygiene');
    expect(challenge.payable.v2).toBe(true);
  });

  test('with a duplicate member is an error', () => {
    const text = JSON.stringify(v2Envelope()).replace('"payTo"', '"payTo":"0x0\\u001b","payTo"');
    expect(faults(readJson(text))).toEqual(['v2-json-unique-keys']);
    expect(getCheck(readJson(text), 'v2-json-unique-keys').message).toContain('"payTo"');
    const apart = JSON.stringify(v2Envelope({ extensions: { a: { info: 1 }, b: { info: 1 } } }));
    expect(faults(readJson(apart))).toEqual([]);
  });

  test('distinguishes member names with lone surrogates', () => {
    const text = (name: string): string =>
      JSON.stringify(v2Envelope()).replace('{', String.raw`{"\ud800":1,"${name}":1,`);
    expect(faults(readJson(text(String.raw`\ud801`)))).toEqual([]);
    expect(faults(readJson(text(String.raw`\uD800`)))).toEqual(['v2-json-unique-keys']);
    expect(getCheck(readJson(text(String.raw`\uD800`)), 'v2-json-unique-keys').message).toContain('"\uFFFD"');
  });
});

describe('the envelope', () => {
  test.each<[string, JsonObject, string, string]>([
    ['a string version', { x402Version: '2' }, 'v2-version', 'fail error'],
    ['no version', { x402Version: undefined }, 'v2-version', 'fail error'],
    ['a future version', { x402Version: 3 }, 'v2-version', 'fail error'],
    ['a null error', { error: null }, 'v2-error-type', 'pass'],
    ['no error', { error: undefined }, 'v2-error-type', 'pass'],
    ['an object as error', { error: {} }, 'v2-error-type', 'fail warning'],
    ['accepts missing', { accepts: undefined }, 'v2-accepts-array', 'fail error'],
    ['accepts that is not a list', { accepts: { 0: v2Option() } }, 'v2-accepts-array', 'fail error'],
    ['accepts that is not a list, for the minimum count', { accepts: 'none' }, 'v2-accepts-nonempty', 'skip'],
    ['accepts that is not a list, for the maximum count', { accepts: 'none' }, 'v2-accepts-max', 'skip'],
    ['an option that is not an object', { accepts: [v2Option(), 'free'] }, 'v2-accepts-array', 'fail error'],
    ['an empty accepts', { accepts: [] }, 'v2-accepts-nonempty', 'fail error'],
    [
      'more options than the read limit',
      { accepts: Array(5_000).fill({}) },
      'v2-accepts-max',
      'fail warning',
    ],
  ])('with %s', (...[, change, id, result]) => {
    expect(getResult(read(change), id)).toBe(result);
  });

  test('is checked for non-objects beyond the read limit', () => {
    const options = Array.from({ length: 64 }, () => v2Option());
    expect(getResult(read({ accepts: [...options, {}] }), 'v2-accepts-array')).toBe('pass');
    for (const odd of [null, 'free', [v2Option()]]) {
      expect(getResult(read({ accepts: [...options, odd] }), 'v2-accepts-array')).toBe('fail error');
    }
  });

  test('counts all options', () => {
    const challenge = read({ accepts: Array.from({ length: 100 }, () => v2Option()) });
    expect(getCheck(challenge, 'v2-accepts-max').message).toContain('contains 100 payment options');
  });
});
