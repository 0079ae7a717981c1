import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

describe('plainText', () => {
  it('takes out the marks that turn text around', () => {
    expect(plainText('Safe\u202Eexe.gnp\u2066 pay\u200Bment\u0000')).toBe('Safeexe.gnp payment');
  });

  it('makes one line of several', () => {
    expect(plainText('  one\r\n\ttwo\u00A0 three ')).toBe('one two three');
  });

  it('cuts a long text with an ellipsis', () => {
    expect(plainText('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(plainText('a'.repeat(10), 10)).toBe('a'.repeat(10));
  });

  it('leaves no control character and no more than the limit, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const plain = plainText(text, limit);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect([...plain].length).toBeLessThanOrEqual(limit);
        expect(plain.isWellFormed()).toBe(true);
      }),
    );
  });
});
