import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatConfidence,
  formatConstantPercent,
  formatCount,
  formatGradedScore,
  formatMs,
  formatNumber,
  formatPercent,
  formatScore,
  formatShare,
  formatTokenAmount,
  formatUptime,
  formatUsd,
  toConfidenceBand,
  toPercent,
} from './figures.ts';

it.each([
  [formatScore(95), '95.0'],
  [formatScore(0), '0.0'],
  [formatGradedScore({ grade: 'F', score: 19.6 }), '19.6'],
  [formatGradedScore({ grade: '?', score: 19.6 }), null],
  [formatConfidence(0.5), '0.50 of 1'],
  [formatCount(999), '999'],
  [formatCount(48_000_000), '48,000,000'],
  [formatCount(1, 'probe'), '1 probe'],
  [formatCount(1_430, 'probe'), '1,430 probes'],
  [formatNumber(27.3), '27.3'],
  [formatMs(0.4), '0 ms'],
  [formatMs(1_318.5), '1,319 ms'],
  // Percentages are rounded down: 949 of 999 probes are below the threshold of 95 %.
  [formatPercent(949 / 999), '94.9 %'],
  [formatPercent(28.25 / 100), '28.2 %'],
  [formatPercent(0.57), '57.0 %'],
  [formatConstantPercent(0.95), '95 %'],
  [formatConstantPercent(0.999), '99.9 %'],
  [formatPercent(0.9997), '99.9 %'],
  [formatPercent(1 - Number.EPSILON), '99.9 %'],
  [formatPercent(1), '100 %'],
  [formatPercent(1 / 2_880), '0.1 %'],
  [formatPercent(0), '0 %'],
  [formatShare(2 / 3), '66.7 %'],
  [formatShare(0.9997), '99.9 %'],
  [formatShare(1 / 100_000), '0.1 %'],
  [formatUptime({ uptime30d: 99.9, scoredProbes30d: 1440, blockedSince: null }), '99.9 %'],
  [
    formatUptime({ uptime30d: 100, scoredProbes30d: 94, blockedSince: '2026-11-16T00:30:00.000Z' }),
    '100 % of 94 scored, blocked since 2026-11-16',
  ],
  // A price below a cent keeps its digits.
  [formatUsd(0.0005), '$0.0005'],
  [formatUsd(1_234.5), '$1,234.50'],
  [formatUsd(0.000_000_4), 'under $0.000001'],
])('%s is %s', (text, expected) => {
  expect(text).toBe(expected);
});

it('percentages do not change when they are rounded again, and only a whole is 100', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }), (one, other) => {
      const share = one / (one + other - 1 || 1);
      expect(toPercent(toPercent(share) / 100)).toBe(toPercent(share));
      expect(toPercent(share) === 100).toBe(share === 1);
    }),
  );
});

it('a confidence has a band', () => {
  const bands = [0, 0.29, 0.3, 0.69, 0.7, 1].map(toConfidenceBand);
  expect(bands.join(' ')).toBe('low low moderate moderate high high');
});

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
    ['300.982300', '$300.98'],
    ['1.004999', '$1.00'],
    ['1.005', '$1.01'],
    ['999.995', '$1,000.00'],
    ['0.999999', '$0.999999'],
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

  it('is exact below a dollar and rounded to cents from a dollar on, with at least two decimals', () => {
    const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: 0n, max: 2_000_000n }), anyAmount), (micros) => {
        const amountUsd = `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
        const text = formatUsd(amountUsd);
        const isRounded = micros >= 1_000_000n;
        expect(toMicros(text)).toBe(isRounded ? ((micros + 5_000n) / 10_000n) * 10_000n : micros);
        expect(text).toMatch(isRounded ? /^\$[\d,]+\.\d\d$/ : /^\$0\.\d\d(?:\d*[1-9])?$/);
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
