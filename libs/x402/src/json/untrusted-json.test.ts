import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { cleanText, quote, cleanJson } from './untrusted-json.ts';

test('cleanText converts text to one line that can be stored', () => {
  expect(cleanText('  Weather\r\n\tby city ', 100)).toBe('Weather by city');
  expect(cleanText('a\u0000b\u001b[31mc', 100)).toBe('a b [31mc');
  expect(cleanText('broken \ud83d', 100)).toBe('broken \ufffd');
  expect(cleanText('pay\u202eto\u2066 me\u200b\u2028now', 100)).toBe('pay to  me now');
  expect(cleanText('\u{1f468}\u200d\u{1f469}', 100)).toBe('\u{1f468}\u200d\u{1f469}');
  expect(cleanText('abcdef', 3)).toBe('abc');
  for (const nothing of ['', '   ', '\u0000', 7, null, undefined, {}, ['a']])
    expect(cleanText(nothing, 9)).toBeNull();
});

test('the result of cleanText is well-formed, short and without control characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
      fc.integer({ min: 1, max: 40 }),
      (text, limit) => {
        const kept = cleanText(text, limit) ?? 'x';
        expect(kept.isWellFormed()).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(limit);
        expect(kept).not.toMatch(/\p{Cc}/u);
        expect(kept.trim()).toBe(kept);
      },
    ),
  );
});

test('quote formats a value briefly, and an object by its type only', () => {
  expect(quote('a\nb')).toBe(String.raw`"a\nb"`);
  expect(quote(' 10000 ')).toBe('" 10000 "');
  expect(quote('0x12\u200b\u202e\u{e0041}')).toBe(String.raw`"0x12\u{200b}\u{202e}\u{e0041}"`);
  expect(quote('x" is fine. "')).toBe(String.raw`"x\" is fine. \""`);
  expect(quote('x'.repeat(500))).toBe(`"${'x'.repeat(80)}…"`);
  expect([quote(1.5), quote(null), quote(undefined), quote([1]), quote({ a: 1 }), quote(false)]).toEqual([
    ...['1.5', 'null', 'missing', 'of type array', 'of type object', 'false'],
  ]);
});

const LIMITS = { values: 100, units: 1_000 };

describe('cleanJson', () => {
  test('copies a clean value unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u00|\\ud|\\[bfnrt]/.test(text) && text.length < 200 && !/[\u007f-\u009f]/.test(text));
        const json: unknown = JSON.parse(text);
        expect(cleanJson(json, LIMITS)).toEqual(json);
      }),
    );
  });

  test('removes control characters and half surrogate pairs from texts and names', () => {
    const json: unknown = JSON.parse('{"a\\u0000b": ["\\u001b[2J", "\\ud800"]}');
    expect(cleanJson(json, LIMITS)).toEqual({ 'a b': [' [2J', '\ufffd'] });
  });

  test('keeps __proto__ as an ordinary member, and changes no prototype', () => {
    const copy = cleanJson(JSON.parse('{"__proto__": {"polluted": true}}'), LIMITS);
    expect(Object.getOwnPropertyNames(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['too many values', Array.from({ length: 100 }, () => 1)],
    ['text that is too long', 'a'.repeat(1_001)],
    ['names that are too long', { ['a'.repeat(1_001)]: 1 }],
    ['nesting that is too deep', JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)],
    ['nesting of thousands of levels', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
    ['a value that is not JSON', undefined],
  ])('returns null for %s', (_, json) => {
    expect(cleanJson(json, LIMITS)).toBeNull();
  });
});
