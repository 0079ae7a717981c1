/**
 * Converts a price in US dollars to atomic units of a token that is worth one dollar.
 * @param priceUsd decimal string, such as "0.0025"
 * @param decimals number of decimals of the token; further decimals of the price are cut off
 */
export function toAtomicAmount(priceUsd: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}
