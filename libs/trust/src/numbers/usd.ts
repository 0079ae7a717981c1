/** Decimals that are compared. Dollar amounts have six decimals; a median may have more. */
const SCALE = 18;
const USD = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/;

/**
 * Parses a dollar amount into a whole number of 10^-18 dollars, for exact comparison. Further decimals are cut off.
 *
 * @returns null if the text is not an amount
 */
export function parseUsd(text: string | null | undefined): bigint | null {
  const [, whole, fraction = ''] = USD.exec(text ?? '') ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
}
