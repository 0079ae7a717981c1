/** Dollar amounts have six decimals; a median may have more. */
const SCALE = 18;
const USD = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/;

/**
 * A dollar amount as a whole number of 10^-18 dollars, for exact comparison; decimals beyond are cut off.
 *
 * @returns null when the text is no amount
 */
export function parseUsd(text: string | null | undefined): bigint | null {
  const [, whole, fraction = ''] = USD.exec(text ?? '') ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
}
