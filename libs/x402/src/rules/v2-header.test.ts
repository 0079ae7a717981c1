import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './v2-header.ts';
import {
  checkOf,
  encode,
  resultOf,
  v1Envelope,
  v1Option,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const IDS = new Set(['envelope-present', ...[...V2_HEADER_RULES, ...V2_ACCEPTS_RULES].map(({ id }) => id)]);

/** Ids of the rules of this table, and of the one on any envelope, that failed. */
function faults(challenge: Challenge): string[] {
  return challenge.checks.filter(({ id, result }) => result === 'fail' && IDS.has(id)).map(({ id }) => id);
}

function read(change: Bag): Challenge {
  return readChallenge(v2Response(v2Envelope(change)));
}

function readHeaders(headers: [string, string][], body = '{}'): Challenge {
  return readChallenge(v2Response(undefined, { headers: [['cache-control', 'no-store'], ...headers], body }));
}

/** The challenge of a header that holds this JSON text. */
function readJson(text: string): Challenge {
  return readHeaders([['PAYMENT-REQUIRED', btoa(text)]]);
}

test('the textbook breaks none of these rules, and is judged by all it can be judged by', () => {
  const judged = read({}).checks.filter(({ id, result }) => IDS.has(id) && result !== 'skip');
  expect(judged.every(({ result }) => result === 'pass')).toBe(true);
  expect(judged.length).toBe(IDS.size);
});

describe('the header', () => {
  test('is missed, gravely unless the body can be paid', () => {
    expect(resultOf(readHeaders([]), 'v2-header-present')).toBe('fail error');
    expect(resultOf(readHeaders([['payment-required', ' ']]), 'v2-header-present')).toBe('fail error');
    const unpayable = JSON.stringify(v1Envelope({ accepts: [v1Option({ payTo: '' })] }));
    expect(resultOf(readHeaders([], unpayable), 'v2-header-present')).toBe('fail error');
    const legacy = readHeaders([], JSON.stringify(v1Envelope()));
    expect(resultOf(legacy, 'v2-header-present')).toBe('fail warning');
    expect(checkOf(legacy, 'v2-header-present').axis).toBe('discoverable');
    expect(checkOf(legacy, 'v2-header-present').message).toBe(
      'There is no PAYMENT-REQUIRED header, and directories look for the envelope there.',
    );
  });

  test('has one name', () => {
    const misnamed = readHeaders([['X-Payment-Required', encode(v2Envelope())]]);
    expect(faults(misnamed)).toEqual(['envelope-present', 'v2-header-name']);
    expect(misnamed.verdict).toBe('unpayable');
    // No client finds it there, and people may see what it asks all the same.
    expect(misnamed.options).toMatchObject([{ network: 'eip155:8453', amount: 10_000n }]);
    const both = readHeaders([
      ['x-payment-required', 'x'],
      ['payment-required', encode(v2Envelope())],
    ]);
    expect(resultOf(both, 'v2-header-name')).toBe('pass');
    expect(faults(readHeaders([['x-payment', '']]))).toEqual(['envelope-present', 'v2-header-present']);
  });

  test('is looked for by no name of a prototype', () => {
    const proto = readHeaders([
      ['__proto__', encode(v2Envelope())],
      ['constructor', 'x'],
    ]);
    expect(faults(proto)).toEqual(['envelope-present', 'v2-header-present']);
  });

  test.each([
    ['bare JSON', JSON.stringify(v2Envelope()), 'v2-base64-standard'],
    ['the wrong padding', 'QQ=', 'v2-base64-standard'],
    ['blanks inside', encode(v2Envelope()).replace(/^.{8}/, '$& '), 'v2-base64-standard'],
    ['no JSON', btoa('pay me'), 'v2-json'],
    ['nothing in it', btoa('  '), 'v2-json'],
    ['UTF-16', btoa(JSON.stringify(v2Envelope()).split('').join('\0')), 'v2-json'],
    ['a JSON list', encode([v2Envelope()]), 'v2-json'],
    ['a number that is none', btoa('{"x402Version":2,"amount":NaN}'), 'v2-json-strict'],
  ])('with %s has one fault', (_, value, id) => {
    const challenge = readHeaders([['PAYMENT-REQUIRED', value]]);
    expect(faults(challenge)).toEqual(['envelope-present', id]);
    expect(challenge.verdict).toBe('unpayable');
  });

  test('that nobody reads to its end is left to the rule on its size', () => {
    const long = readHeaders([['PAYMENT-REQUIRED', 'A'.repeat(100_000)]]);
    expect(faults(long)).toEqual(['envelope-present']);
    for (const id of ['v2-base64-standard', 'v2-json', 'v2-json-strict', 'v2-json-unique-keys']) {
      expect(resultOf(long, id)).toBe('skip');
    }
  });

  test('given twice is one no client can read', () => {
    const field: [string, string] = ['PAYMENT-REQUIRED', encode(v2Envelope())];
    const twice = readHeaders([field, ['payment-required', field[1]]]);
    expect(faults(twice)).toEqual(['v2-header-single', 'v2-base64-standard']);
    expect(resultOf(twice, 'v2-header-single')).toBe('fail warning');
    expect(twice.payable.v2).toBe(false);
    expect(checkOf(twice, 'v2-base64-standard').message).toContain('repeated');
  });

  test('may hold bytes clients replace, which is worth a warning', () => {
    const challenge = readJson(JSON.stringify(v2Envelope()).replace('Skies', 'Ski\u00e9s'));
    expect(resultOf(challenge, 'v2-json')).toBe('fail warning');
    expect(checkOf(challenge, 'v2-json').axis).toBe('hygiene');
    expect(challenge.payable.v2).toBe(true);
  });

  test('may say a thing twice, and is read by clients as its last words', () => {
    const text = JSON.stringify(v2Envelope()).replace('"payTo"', '"payTo":"0x0\\u001b","payTo"');
    expect(faults(readJson(text))).toEqual(['v2-json-unique-keys']);
    expect(checkOf(readJson(text), 'v2-json-unique-keys').message).toContain('"payTo"');
    const apart = JSON.stringify(v2Envelope({ extensions: { a: { info: 1 }, b: { info: 1 } } }));
    expect(faults(readJson(apart))).toEqual([]);
  });

  test('may have halves of characters in its names', () => {
    const text = (name: string): string =>
      JSON.stringify(v2Envelope()).replace('{', String.raw`{"\ud800":1,"${name}":1,`);
    expect(faults(readJson(text(String.raw`\ud801`)))).toEqual([]);
    expect(faults(readJson(text(String.raw`\uD800`)))).toEqual(['v2-json-unique-keys']);
    expect(checkOf(readJson(text(String.raw`\uD800`)), 'v2-json-unique-keys').message).toContain('"\uFFFD"');
  });
});

describe('the envelope', () => {
  test.each<[string, Bag, string, string]>([
    ['version as text', { x402Version: '2' }, 'v2-version', 'fail error'],
    ['no version', { x402Version: undefined }, 'v2-version', 'fail error'],
    ['a version to come', { x402Version: 3 }, 'v2-version', 'fail error'],
    ['error of null', { error: null }, 'v2-error-type', 'pass'],
    ['no error', { error: undefined }, 'v2-error-type', 'pass'],
    ['error of an object', { error: {} }, 'v2-error-type', 'fail warning'],
    ['no options at all', { accepts: undefined }, 'v2-accepts-array', 'fail error'],
    ['options that are no list', { accepts: { 0: v2Option() } }, 'v2-accepts-array', 'fail error'],
    ['options that are no list, so none to count', { accepts: 'none' }, 'v2-accepts-nonempty', 'skip'],
    ['options that are no list, so not too many', { accepts: 'none' }, 'v2-accepts-max', 'skip'],
    ['an option that is no object', { accepts: [v2Option(), 'free'] }, 'v2-accepts-array', 'fail error'],
    ['no options', { accepts: [] }, 'v2-accepts-nonempty', 'fail error'],
    ['more options than are read', { accepts: Array(5_000).fill({}) }, 'v2-accepts-max', 'fail warning'],
  ])('with %s', (...[, change, id, result]) => {
    expect(resultOf(read(change), id)).toBe(result);
  });

  test('is looked through for options that are no objects, beyond those that are read', () => {
    const options = Array.from({ length: 64 }, () => v2Option());
    expect(resultOf(read({ accepts: [...options, {}] }), 'v2-accepts-array')).toBe('pass');
    for (const odd of [null, 'free', [v2Option()]]) {
      expect(resultOf(read({ accepts: [...options, odd] }), 'v2-accepts-array')).toBe('fail error');
    }
  });

  test('counts all its options', () => {
    const challenge = read({ accepts: Array.from({ length: 100 }, () => v2Option()) });
    expect(checkOf(challenge, 'v2-accepts-max').message).toContain('offers 100 ways');
  });
});
