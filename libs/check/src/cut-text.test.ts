import { expect, test } from 'vitest';
import { quoteText } from './cut-text.ts';

test.each([
  ['keeps spaces and line ends', ' \tline 1\r\n\n  line 2 ', ' \tline 1\r\n\n  line 2 '],
  [
    'escapes invisible characters',
    '\ufeffa\u200bb\u202e\u0000\u00a0\u001b[1m\r',
    String.raw`\u{feff}a\u{200b}b\u{202e}\u{0}\u{a0}\u{1b}[1m\u{d}`,
  ],
  ['escapes a lone surrogate, but no pair', '\ud800😀', String.raw`\u{d800}😀`],
  ['cuts a long text', 'x'.repeat(61), `${'x'.repeat(59)}…`],
  ['cuts no escape', '\u200b'.repeat(60), `${String.raw`\u{200b}`.repeat(7)}…`],
  [
    'cuts no escape after its first character',
    `xx${'\u200b'.repeat(9)}`,
    `xx${String.raw`\u{200b}`.repeat(7)}…`,
  ],
  ['cuts no surrogate pair', `${'x'.repeat(58)}😀xx`, `${'x'.repeat(58)}…`],
  ['cuts no surrogate pair at the limit', `${'x'.repeat(59)}😀`, `${'x'.repeat(59)}…`],
])('a quotation %s', (_, text, quotation) => {
  expect(quoteText(text, 60)).toBe(quotation);
});
