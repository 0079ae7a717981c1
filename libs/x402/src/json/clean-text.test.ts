import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, quote } from './clean-text.ts';

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
