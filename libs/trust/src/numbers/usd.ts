/** Number of decimals of a parsed dollar amount. Amounts have six decimals, but a median of amounts may have more. */
const SCALE = 18;
const USD = /^([0-9]{1,60})(?:\.([0-9]{1,60}))?$/;

/**
 * Parses a dollar amount into a whole number of 10^-18 dollars, for exact comparison. Cuts off any decimals beyond
 * these 18.
 *
 * @returns null if the text is not an amount
 */
export function parseUsd(text: string | null | undefined): bigint | null {
  const [, whole, fraction = ''] = USD.exec(text ?? '') ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
}
