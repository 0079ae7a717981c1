import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, quote } from './text.ts';

test('cleanText makes one storable line of whatever is text', () => {
  expect(cleanText('  Weather\r\n\tby city ', 100)).toBe('Weather by city');
  expect(cleanText('a\u0000b\u001b[31mc', 100)).toBe('a b [31mc');
  expect(cleanText('broken \ud83d', 100)).toBe('broken \ufffd');
  expect(cleanText('abcdef', 3)).toBe('abc');
  for (const nothing of ['', '   ', '\u0000', 7, null, undefined, {}, ['a']])
    expect(cleanText(nothing, 9)).toBeNull();
});

test('what cleanText keeps is well-formed, short and free of controls', () => {
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

test('quote names a value shortly and never looks inside', () => {
  expect(quote('a\nb')).toBe('"a b"');
  expect(quote('x'.repeat(500))).toHaveLength(62);
  expect([quote(1.5), quote(null), quote(undefined), quote([1]), quote({ a: 1 }), quote(false)]).toEqual([
    '1.5',
    'null',
    'missing',
    'of type array',
    'of type object',
    'false',
  ]);
});
