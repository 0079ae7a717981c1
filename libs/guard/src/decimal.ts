import { parseDecimal, toUnits } from '@touchstone/common';

/** Amount in US dollars: a decimal string such as `"0.05"`, or a number. A number is read as its decimal text. */
export type Usd = string | number;

/** Decimal number `digits` / 10^`scale`. The published declarations cannot import the same type of `common`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Reads a limit of the policy.
 *
 * @param value decimal text or a number; a number is read as its decimal text
 * @throws TypeError for another value. A limit that cannot be read must not be ignored.
 */
export function readLimit(name: string, value: string | number): Decimal {
  const limit = parseDecimal(String(value));
  if (limit === null) {
    throw new TypeError(`${name} must be a decimal number such as "0.05"; received ${String(value)}.`);
  }
  return limit;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { digits: toUnits(left, scale) + toUnits(right, scale), scale };
}

/** Subtracts `right`, which is at most `left`. */
export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, { digits: -right.digits, scale: right.scale });
}

/** Returns true if `left` is greater than `right`. */
export function isGreater(left: Decimal, right: Decimal): boolean {
  const scale = Math.max(left.scale, right.scale);
  return toUnits(left, scale) > toUnits(right, scale);
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale };
}
