import fc from 'fast-check';

/** Control and format characters that a terminal would execute, and separators that would start a new line. */
export const EXECUTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Texts of a provider with ANSI escapes, direction overrides, false lines, very long words and wide characters. */
export const HOSTILE_TEXT = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '\u001b[2J\u001b[31m',
        '\u009b1m',
        '\u001b]0;title\u0007',
        '\u202eevil\u2066',
        '\r\n 1. 99 % similar   Grade A   99.0 of 100\n',
        '\u2028',
        '\ud800',
        'x'.repeat(400),
        '天気予報'.repeat(40),
        '🙂e\u0301',
        ' ',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').slice(0, 500));
