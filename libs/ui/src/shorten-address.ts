/** An address short enough for a line: its first six and last four characters. Short texts stay whole. */
export function shortenAddress(address: string): string {
  const characters = [...address];
  if (characters.length <= 14) return address;
  return `${characters.slice(0, 6).join('')}…${characters.slice(-4).join('')}`;
}
