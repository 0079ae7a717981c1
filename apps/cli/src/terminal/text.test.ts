import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakRunnerCommands,
  escapeJsonText,
  formatUsdc,
  parseUsd,
  toPlainJson,
  toPlainLines,
  toPlainText,
  wrap,
  wrapAnywhere,
} from './text.ts';

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
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('breaks a word between characters', () => {
    expect(wrapAnywhere('天気🙂報', '', 2)).toEqual(['天気', '🙂報']);
  });
});

describe('US dollars', () => {
  it.each([
    ['0.005', 5_000n],
    ['$0.05', 50_000n],
    [' 1 ', 1_000_000n],
    ['0.000001', 1n],
    ['0', 0n],
  ])('reads %j', (text, amount) => {
    expect(parseUsd(text)).toBe(amount);
  });

  it.each(['', '.5', '1.', '-1', '1e3', '0.0000001', '1,5', 'Infinity', '0x10'])('rejects %j', (text) => {
    expect(parseUsd(text)).toBeNull();
  });

  it.each([
    [5_000n, '$0.005'],
    [500_000n, '$0.50'],
    [2_000_000n, '$2.00'],
    [12_340_000n, '$12.34'],
    [0n, '$0.00'],
  ])('formats %s as %s', (amount, text) => {
    expect(formatUsdc(amount)).toBe(text);
  });

  it('parses every formatted amount', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 14n), (amount) => {
        expect(parseUsd(formatUsdc(amount))).toBe(amount);
      }),
    );
  });
});

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Random text in which control sequences are frequent. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\u009b1m', '\u202e', '\u2028', '\ud800', '##[', '##vso['),
    ),
  )
  .map((parts) => parts.join(''));

describe('breakRunnerCommands', () => {
  it.each([
    ['::error::a', '∶:error::a'],
    ['a\n  ::stop-commands::b\n', 'a\n  ∶:stop-commands::b\n'],
    ['\u00a0\u0085\u3000::add-mask::a', '\u00a0\u0085\u3000∶:add-mask::a'],
    ['a\r::debug::b', 'a\r∶:debug::b'],
    ['a ##[error]b ####[group]', 'a ##(error]b ####(group]'],
    ['##vso[task.setvariable]a ##teamcity[b]', '##vso(task.setvariable]a ##teamcity(b]'],
  ])('changes %j to %j', (given, broken) => {
    expect(breakRunnerCommands(given)).toBe(broken);
  });

  it.each(['a ::1 b', 'http://[::1]/', '# [a] #[b]', '{"a":"::b"}\n'])('keeps %j', (given) => {
    expect(breakRunnerCommands(given)).toBe(given);
  });
});

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
  it('has the same value, no control characters and no command to a build runner', () => {
    fc.assert(
      fc.property(fc.record({ key: text, list: fc.array(text) }), (value) => {
        const json = toPlainJson(value);
        expect(CONTROL_CHARACTERS.exec(json)).toBeNull();
        expect(breakRunnerCommands(json)).toBe(json);
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
        expect(breakRunnerCommands(shown)).toBe(shown);
        expect(JSON.parse(shown)).toEqual(value);
      }),
    );
    expect(escapeJsonText('{\n  "a": 1\n}')).toBe('{\n  "a": 1\n}');
  });
});
