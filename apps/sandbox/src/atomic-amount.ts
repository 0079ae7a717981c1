/**
 * A US dollar price in a dollar token's atomic units.
 * @param priceUsd decimal string, such as "0.0025"
 * @param decimals the token's; a price finer than that loses the digits beyond
 */
export const atomicAmount = (priceUsd: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
};
