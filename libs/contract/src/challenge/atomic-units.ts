/**
 * Converts a price in US dollars to atomic units of a token that is worth one US dollar.
 *
 * @param priceUsd price with decimals, such as "0.005000"; null for a free operation
 * @param decimals decimals of the token
 * @throws Error for a free operation, and for a price with more decimals than the token
 */
export function toAtomicUnits(priceUsd: string | null, decimals: number): string {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(priceUsd ?? '') ?? [];
  if (whole === '' || fraction.length > decimals) {
    throw new Error(`a paid operation needs a price with at most ${String(decimals)} decimals`);
  }
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
}
