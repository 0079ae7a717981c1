import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd } from './format-usd.ts';

/** Parses a formatted dollar amount into millionths of a dollar. */
function toMicros(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/[$,]/g, '').split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

describe('formatUsd', () => {
  it.each([
    ['0.005000', '$0.005'],
    ['1.000000', '$1.00'],
    ['0.000000', '$0.00'],
    ['12000.250000', '$12,000.25'],
    ['0.0000000000001', '$0.0000000000001'],
    ['999999999999.999999', '$999,999,999,999.999999'],
    ['0000000000000000001.5', '$1.50'],
  ])('formats %s as %s', (amountUsd, text) => {
    expect(formatUsd(amountUsd)).toBe(text);
  });

  it.each(['', 'free', '-1.000000', '1e6', '1.', '.5', '0x10', '1,000.00'])(
    'returns %j unchanged, which is not a plain decimal',
    (amountUsd) => {
      expect(formatUsd(amountUsd)).toBe(amountUsd);
    },
  );

  it('is exact for every amount below a trillion, with at least two decimals and no further trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (micros) => {
        const amountUsd = `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
        const text = formatUsd(amountUsd);
        expect(toMicros(text)).toBe(micros);
        expect(text).toMatch(/^\$[\d,]+\.\d\d(?:\d*[1-9])?$/);
      }),
    );
  });

  it('abbreviates amounts from a trillion on', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 78n }), (dollars) => {
        expect(formatUsd(dollars.toString())).toBe('over $1 trillion');
      }),
    );
  });
});
