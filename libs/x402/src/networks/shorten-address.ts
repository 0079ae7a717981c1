/** Shortens an address to its first six and last four characters. Returns texts of up to 14 characters unchanged. */
export function shortenAddress(address: string): string {
  const characters = [...address];
  if (characters.length <= 14) return address;
  return `${characters.slice(0, 6).join('')}…${characters.slice(-4).join('')}`;
}
