import { refusedRanges } from './address-ranges.ts';
import { parseAddress } from './parse-address.ts';
import type { IpAddress } from './parse-address.ts';

interface Block {
  readonly family: 4 | 6;
  readonly prefix: bigint;
  readonly shift: bigint;
  readonly reason: string;
}

const blocks: readonly Block[] = refusedRanges.map(({ cidr, reason }) => {
  const [base = '', length = ''] = cidr.split('/');
  const parsed = parseAddress(base);
  if (parsed === null) throw new TypeError(`${cidr} in the table of refused ranges is not a range`);
  const shift = BigInt((parsed.family === 4 ? 32 : 128) - Number(length));
  return { family: parsed.family, prefix: parsed.value >> shift, shift, reason };
});

/** IPv6 space that is allocated for global unicast (RFC 4291, section 2.4): 2000::/3. */
function isGlobalUnicast(address: IpAddress): boolean {
  return address.value >> 125n === 1n;
}

/** ISATAP (RFC 5214, section 6.1) hides an IPv4 address behind 0000:5efe or 0200:5efe under any prefix. */
function isIsatap(address: IpAddress): boolean {
  const upperIdentifier = (address.value >> 32n) & 0xffff_ffffn;
  return upperIdentifier === 0x0000_5efen || upperIdentifier === 0x0200_5efen;
}

/**
 * The guard against requests into networks that are not public. It judges the address that is about to be
 * dialled, so it must be asked after name resolution, once for every address.
 *
 * @param address - An IP address as text, without brackets.
 * @returns Why the address must not be dialled, or null when it may be. Text that is not an address is refused.
 */
export function refuseAddress(address: string): string | null {
  const parsed = parseAddress(address);
  if (parsed === null) return 'not an IP address';
  const block = blocks.find(
    ({ family, shift, prefix }) => family === parsed.family && parsed.value >> shift === prefix,
  );
  if (block !== undefined) return block.reason;
  if (parsed.family === 4) return null;
  if (!isGlobalUnicast(parsed)) return 'not a global unicast address';
  return isIsatap(parsed) ? 'ISATAP' : null;
}
