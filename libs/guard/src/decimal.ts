/** Exact decimal number from 0: `digits` divided by 10 to the power of `scale`. */
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

/**
 * Reads a limit of the policy.
 *
 * @param value decimal text, or a number, which is read as its decimal text
 * @throws TypeError for another value. A limit that cannot be read must not be ignored.
 */
export function readLimit(name: string, value: string | number): Decimal {
  const limit = parseDecimal(String(value));
  if (limit === null) {
    throw new TypeError(`${name} must be a decimal number such as "0.05"; received ${String(value)}.`);
  }
  return limit;
}

/** Returns true if `left` is greater than `right`. */
export function isGreater(left: Decimal, right: Decimal): boolean {
  const scale = Math.max(left.scale, right.scale);
  return toScale(left, scale) > toScale(right, scale);
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale };
}

/** Formats a decimal number without trailing zeros after the point, for messages. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function toScale({ digits, scale }: Decimal, target: number): bigint {
  return digits * 10n ** BigInt(target - scale);
}
