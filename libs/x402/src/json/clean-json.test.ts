import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanJson } from './clean-json.ts';

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
