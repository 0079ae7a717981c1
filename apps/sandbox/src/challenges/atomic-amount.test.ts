import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAtomicAmount } from './atomic-amount.ts';

test.each([
  ['0.0005', 6, 500n],
  ['25', 6, 25_000_000n],
  ['1.25', 18, 1_250_000_000_000_000_000n],
  ['0.129', 2, 12n],
  ['0', 6, 0n],
])('converts %s dollars at %i decimals to %s', (priceUsd, decimals, expected) => {
  expect(toAtomicAmount(priceUsd, decimals)).toBe(expected);
});

test('converts a price of whole atomic units exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => {
      const digits = amount.toString().padStart(7, '0');
      expect(toAtomicAmount(`${digits.slice(0, -6)}.${digits.slice(-6)}`, 6)).toBe(amount);
    }),
  );
});
