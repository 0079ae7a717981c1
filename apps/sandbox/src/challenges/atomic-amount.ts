/**
 * Converts a US dollar price to atomic units of a dollar token.
 * @param priceUsd decimal string, such as "0.0025"
 * @param decimals decimals of the token; further digits of the price are cut off
 */
export const toAtomicAmount = (priceUsd: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
};
