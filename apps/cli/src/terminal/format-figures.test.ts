import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUsd, formatUsdc } from './format-figures.ts';

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

  it.each(['', '.5', '1.', '-1', '1e3', '0.0000001', '1,5', 'Infinity', '0x10', '9'.repeat(10)])(
    'rejects %j',
    (text) => {
      expect(parseUsd(text)).toBeNull();
    },
  );

  it.each([
    [5_000n, '$0.005'],
    [500_000n, '$0.50'],
    [2_000_000n, '$2'],
    [12_340_000n, '$12.34'],
    [0n, '$0'],
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
