import { groupThousands, isTrillionOrMore } from './format-usd.ts';

/**
 * Formats an amount of atomic token units as whole tokens, exactly and without trailing zeros. From a trillion tokens
 * on, the result is `over 1 trillion`, because untrusted amounts could fill a page with digits.
 *
 * @param amount Atomic units as a decimal string, as in x402 payment requirements.
 * @param decimals Decimals of the token, 0 to 255.
 * @returns For example `0.005` for 5000 units of a token with six decimals; null when `amount` is not a whole number
 *   or `decimals` is outside its range.
 */
export function formatTokenAmount(amount: string, decimals: number): string | null {
  if (!/^\d+$/.test(amount) || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return null;
  const digits = amount.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point);
  if (isTrillionOrMore(whole)) return 'over 1 trillion';
  const fraction = digits.slice(point).replace(/0+$/, '');
  return groupThousands(whole) + (fraction && `.${fraction}`);
}
