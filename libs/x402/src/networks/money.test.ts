import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAtomicUsd, parseAmount, toCommonScale } from './money.ts';

describe('formatAtomicUsd', () => {
  test('converts without loss for six decimals or fewer', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 78n }),
        fc.integer({ min: 0, max: 6 }),
        (amount, decimals) => {
          const usd = formatAtomicUsd(amount, decimals);
          expect(usd).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{6}$/);
          expect(BigInt(usd.replace('.', ''))).toBe(amount * 10n ** BigInt(6 - decimals));
        },
      ),
    );
  });

  test('rounds half up for more decimals, with an error of at most half a micro-dollar', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 60n }),
        fc.integer({ min: 7, max: 30 }),
        (amount, decimals) => {
          const unit = 10n ** BigInt(decimals - 6);
          const doubledError =
            2n * (BigInt(formatAtomicUsd(amount, decimals).replace('.', '')) * unit - amount);
          expect(doubledError > -unit && doubledError <= unit).toBe(true);
        },
      ),
    );
  });

  test('throws for a negative amount and for invalid decimals', () => {
    expect(() => formatAtomicUsd(-1n, 6)).toThrow(RangeError);
    for (const decimals of [-1, 1.5, 78, Number.NaN])
      expect(() => formatAtomicUsd(1n, decimals)).toThrow(RangeError);
  });
});

describe('parseAmount', () => {
  test('parses whole numbers of at most 256 bits', () => {
    expect(parseAmount('007')).toBe(7n);
    expect(parseAmount(1000)).toBe(1000n);
    expect(parseAmount(String(2n ** 256n - 1n))).toBe(2n ** 256n - 1n);
  });

  test('returns null for anything else', () => {
    const others = [
      '',
      '1.5',
      '-1',
      '1e3',
      '0x10',
      ' 1',
      '$1',
      String(2n ** 256n),
      '9'.repeat(5_000),
      1.5,
      -1,
      2 ** 60,
    ];
    for (const other of [...others, null, undefined, {}, [], true]) expect(parseAmount(other)).toBeNull();
  });

  test('parses the text of any amount to that amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
        expect(parseAmount(amount.toString())).toBe(amount);
      }),
    );
  });
});

describe('toCommonScale', () => {
  test('gives equal dollar amounts equal values', () => {
    expect(toCommonScale(10_000n, 6)).toBe(toCommonScale(10n ** 16n, 18));
    expect(toCommonScale(10_000n, 6)).toBeLessThan(toCommonScale(10n ** 16n + 1n, 18));
  });

  test('keeps the order of prices in tokens of the same decimals', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 0, max: 77 }), (one, other, decimals) => {
        expect(toCommonScale(one, decimals) < toCommonScale(other, decimals)).toBe(one < other);
      }),
    );
  });
});
