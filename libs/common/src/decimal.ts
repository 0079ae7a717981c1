/** Exact decimal number that is not negative: `digits` divided by 10 to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Parses a decimal number such as `0.05`. Returns null for other text, also for signs, exponents and more than 80
 * digits before or after the point.
 */
export function parseDecimal(text: string): Decimal | null {
  const match = /^([0-9]{1,80})(?:\.([0-9]{1,80}))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Formats a decimal number without trailing zeros after the point. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Returns a decimal number as whole units of 10^-`target`. Cuts off further decimals. */
export function toUnits({ digits, scale }: Decimal, target: number): bigint {
  return target >= scale ? digits * 10n ** BigInt(target - scale) : digits / 10n ** BigInt(scale - target);
}
