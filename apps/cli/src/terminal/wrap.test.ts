import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrap } from './wrap.ts';

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
