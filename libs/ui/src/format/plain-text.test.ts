import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from './plain-text.ts';

describe('toPlainText', () => {
  it('removes bidirectional control characters', () => {
    expect(toPlainText('Safe\u202Eexe.gnp\u2066 pay\u200Bment\u0000')).toBe('Safeexe.gnp payment');
  });

  it('joins lines', () => {
    expect(toPlainText('  one\r\n\ttwo\u00A0 three ')).toBe('one two three');
  });

  it('cuts a long text with an ellipsis', () => {
    expect(toPlainText('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(toPlainText('a'.repeat(10), 10)).toBe('a'.repeat(10));
  });

  it('removes all control characters and respects the limit for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const plain = toPlainText(text, limit);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect([...plain].length).toBeLessThanOrEqual(limit);
        expect(plain.isWellFormed()).toBe(true);
      }),
    );
  });
});
