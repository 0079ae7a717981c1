import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText, toPlainJson, escapeJsonText, toPlainLines } from './plain-text.ts';

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Random text in which control sequences are frequent. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\u009b1m', '\u202e', '\u2028', '\ud800'),
    ),
  )
  .map((parts) => parts.join(''));

describe('toPlainText', () => {
  it('returns one well-formed line without control characters, within the limit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const line = toPlainText(given, limit);
        expect(CONTROL_CHARACTERS.exec(line)).toBeNull();
        expect(line.isWellFormed()).toBe(true);
        expect(line.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('keeps words and ends a truncated text with an ellipsis', () => {
    expect(toPlainText('  a\tb\n c é 漢 ')).toBe('a b c é 漢');
    expect(toPlainText('abcdef', 4)).toBe('abc…');
  });

  it('keeps line feeds in the variant toPlainLines', () => {
    expect(toPlainLines('one\n\u001b[31mtwo\r\n')).toBe('one\n[31mtwo\n');
  });
});

describe('JSON output', () => {
  it('has the same value and no control characters', () => {
    fc.assert(
      fc.property(fc.record({ key: text, list: fc.array(text) }), (value) => {
        const json = toPlainJson(value);
        expect(CONTROL_CHARACTERS.exec(json)).toBeNull();
        expect(JSON.parse(json)).toEqual(value);
      }),
    );
  });

  it('keeps the layout of a JSON text', () => {
    const layouts = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(fc.record({ key: text, list: fc.array(text) }), layouts, (value, layout) => {
        const json = JSON.stringify(value, null, layout);
        const shown = escapeJsonText(json.replaceAll('\n', '\r\n'));
        expect(CONTROL_CHARACTERS.exec(shown.replace(/[\n\t]/g, ''))).toBeNull();
        expect(JSON.parse(shown)).toEqual(value);
      }),
    );
    expect(escapeJsonText('{\n  "a": 1\n}')).toBe('{\n  "a": 1\n}');
  });
});
