import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain, plainJson, plainJsonText, plainLines } from './plain.ts';

const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Any text, with what a terminal obeys more often than chance would have it. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\u009b1m', '\u202e', '\u2028', '\ud800'),
    ),
  )
  .map((parts) => parts.join(''));

describe('plain text', () => {
  it('is one well-formed line of bounded length that no terminal obeys', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const line = plain(given, limit);
        expect(OBEYED.exec(line)).toBeNull();
        expect(line.isWellFormed()).toBe(true);
        expect(line.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('keeps words, and ends in an ellipsis where it was cut', () => {
    expect(plain('  a\tb\n c é 漢 ')).toBe('a b c é 漢');
    expect(plain('abcdef', 4)).toBe('abc…');
  });

  it('of several lines keeps its line ends', () => {
    expect(plainLines('one\n\u001b[31mtwo\r\n')).toBe('one\n[31mtwo\n');
  });
});

describe('plain JSON', () => {
  it('means the same, and no terminal obeys it', () => {
    fc.assert(
      fc.property(fc.record({ key: text, list: fc.array(text) }), (value) => {
        const json = plainJson(value);
        expect(OBEYED.exec(json)).toBeNull();
        expect(JSON.parse(json)).toEqual(value);
      }),
    );
  });

  it('keeps the layout it came in', () => {
    const layouts = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(fc.record({ key: text, list: fc.array(text) }), layouts, (value, layout) => {
        const json = JSON.stringify(value, null, layout);
        const shown = plainJsonText(json.replaceAll('\n', '\r\n'));
        expect(OBEYED.exec(shown.replace(/[\n\t]/g, ''))).toBeNull();
        expect(JSON.parse(shown)).toEqual(value);
      }),
    );
    expect(plainJsonText('{\n  "a": 1\n}')).toBe('{\n  "a": 1\n}');
  });
});
