import { groupThousands, isTrillions } from './format-usd.ts';

/**
 * An amount of atomic units in whole tokens, exact to the last digit and without trailing zeros. From a trillion tokens
 * on only that is said, as strangers could fill a page with the digits.
 *
 * @param amount Atomic units as a decimal string, as x402 payment requirements carry them.
 * @param decimals Decimals of the token, 0 to 255.
 * @returns For example `0.005` for 5000 units of a token with six decimals; null when `amount` is not a whole number
 * or `decimals` is outside its range.
 */
export function formatTokenAmount(amount: string, decimals: number): string | null {
  if (!/^\d+$/.test(amount) || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return null;
  const digits = amount.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point);
  if (isTrillions(whole)) return 'over 1 trillion';
  const fraction = digits.slice(point).replace(/0+$/, '');
  return groupThousands(whole) + (fraction && `.${fraction}`);
}
