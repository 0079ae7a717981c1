const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 in Bitcoin's alphabet, as Solana writes addresses; each leading zero byte is a leading "1". */
export const base58 = (bytes: Uint8Array): string => {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  for (; rest > 0n; rest /= 58n) digits = ALPHABET.charAt(Number(rest % 58n)) + digits;
  const firstNonZero = bytes.findIndex((byte) => byte !== 0);
  const leadingZeros = firstNonZero === -1 ? bytes.length : firstNonZero;
  return '1'.repeat(leadingZeros) + digits;
};
