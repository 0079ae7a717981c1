import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countColumns, wrap, wrapAnywhere } from './text-style.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });

describe('wrap', () => {
  it('keeps every word in order, and every line within the width', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 80 }), (given, width) => {
        const lines = wrap(given.join(' '), '    ', width);
        expect(lines.map((line) => line.trim()).join(' ')).toBe(given.join(' '));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('puts a word longer than the width on a separate line', () => {
    expect(wrap(`to ${'x'.repeat(30)} now`, '  ', 20)).toEqual(['  to', `  ${'x'.repeat(30)}`, '  now']);
  });
});

describe('wrapAnywhere', () => {
  const hostile = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '漢字', 'e\u0301', '🙂', 'x'.repeat(200))),
  );

  it('keeps every character except spaces, and every line within the width', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 8, max: 80 }), (parts, width) => {
        const text = parts.join('');
        const lines = wrapAnywhere(text, '    ', width);
        expect(
          lines
            .map((line) => line.slice(4))
            .join('')
            .replaceAll(' ', ''),
        ).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('counts two columns for wide characters and none for combining characters', () => {
    expect(wrapAnywhere('天気予報', '', 4)).toEqual(['天気', '予報']);
    expect(wrapAnywhere('e\u0301e\u0301e\u0301', '', 2)).toEqual(['e\u0301e\u0301', 'e\u0301']);
  });
});
