import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTokenAmount } from './format-token-amount.ts';

describe('formatTokenAmount', () => {
  it.each([
    ['5000', 6, '0.005'],
    ['1000000', 6, '1'],
    ['100000000000', 6, '100,000'],
    ['1', 18, '0.000000000000000001'],
    ['0', 6, '0'],
    ['42', 0, '42'],
    ['1234567', 0, '1,234,567'],
  ])('formats %s units with %i decimals as %s', (amount, decimals, text) => {
    expect(formatTokenAmount(amount, decimals)).toBe(text);
  });

  it.each([
    ['1.5', 6],
    ['-1', 6],
    ['', 6],
    ['0x10', 6],
    ['1', -1],
    ['1', 256],
    ['1', 1.5],
    ['1', Number.NaN],
  ])('returns null for %j units with %d decimals', (amount, decimals) => {
    expect(formatTokenAmount(amount, decimals)).toBeNull();
  });

  it('is exact below a trillion tokens and abbreviates larger amounts', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n }),
        fc.integer({ min: 0, max: 255 }),
        (units, decimals) => {
          const text = formatTokenAmount(units.toString(), decimals) ?? '';
          if (units >= 10n ** BigInt(decimals + 12)) {
            expect(text).toBe('over 1 trillion');
            return;
          }
          const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
          expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units);
        },
      ),
    );
  });
});
