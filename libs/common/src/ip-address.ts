/** An IP address as a number: 32 bits for version 4, 128 bits for version 6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/**
 * Blocks of addresses that are not public unicast addresses, each with the reason. The first matching block decides.
 *
 * Sources: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890), the IPv6 forms that carry an IPv4
 * address, and the IPv6 space outside 2000::/3 (RFC 4291, section 2.4).
 *
 * `ipaddr.js` 2.5 is not used: that library lacks 168.63.129.16, ::/96, the unassigned IPv6 space and ISATAP, and
 * parses octal and hexadecimal octets. `net.BlockList` gives no reasons and is not available in browsers.
 */
export const NON_PUBLIC_RANGES: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this host on this network'],
  ['10.0.0.0/8', 'private network'],
  ['100.64.0.0/10', 'shared address space of carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'platform service of a cloud provider'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private network'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private network'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::/96', 'IPv4-compatible'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'local NAT64'],
  ['100::/64', 'discard'],
  ['2001::/32', 'Teredo'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'protocol assignments'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'unique local network'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
  ['::/3', 'not a global unicast address'],
  ['4000::/2', 'not a global unicast address'],
  ['8000::/1', 'not a global unicast address'],
];

function parseIPv4(text: string): bigint | null {
  const octets = text.split('.');
  const isValid = octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256);
  if (octets.length !== 4 || !isValid) return null;
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIPv6(text: string): bigint | null {
  if (!/^[\da-f:.]+$/i.test(text)) return null;
  // The URL parser validates the text (RFC 4291) and normalizes every IPv6 address to hexadecimal groups.
  const host = URL.parse(`http://[${text}]/`)?.hostname;
  if (host === undefined) return null;
  const halves = host.slice(1, -1).split('::');
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/**
 * Parses an IP address strictly: four decimal numbers for version 4, or RFC 4291 text for version 6. The last 32 bits
 * of an IPv6 address may be in IPv4 notation. A zone such as `%eth0` is not allowed.
 *
 * @param text the address without brackets
 * @returns the address as a number, or null for any other text, such as octal, hexadecimal or short forms
 */
export function parseIpAddress(text: string): IpAddress | null {
  const v4 = parseIPv4(text);
  if (v4 !== null) return { family: 4, value: v4 };
  const v6 = parseIPv6(text);
  return v6 === null ? null : { family: 6, value: v6 };
}

/** Client of all requests whose client address is not known. */
export const UNKNOWN_CLIENT = 'unknown';

/** End of the text of an IPv6 network that `toNetwork` returns. */
export const IPV6_NETWORK_SUFFIX = '::/64';

/** First 96 bits of an IPv6 address that contains an IPv4 address (RFC 4291, section 2.5.5.2). */
const IPV4_MAPPED_PREFIX = 0xffffn;

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address. A /64 network is the smallest network that providers
 * assign to a customer.
 *
 * @returns null if the text is not an IP address
 */
export function toNetwork(text: string): string | null {
  const address = parseIpAddress(text);
  if (address === null) return null;
  const { family, value } = address;
  const isMapped = value >> 32n === IPV4_MAPPED_PREFIX;
  return family === 4 || isMapped
    ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
    : `${[112n, 96n, 80n, 64n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':')}${IPV6_NETWORK_SUFFIX}`;
}

const RANGES = NON_PUBLIC_RANGES.map(([cidr, reason]) => {
  const [base = '', length = ''] = cidr.split('/');
  const address = parseIpAddress(base);
  if (address === null) throw new TypeError(`${cidr} is not a range of IP addresses.`);
  const shift = BigInt((address.family === 4 ? 32 : 128) - Number(length));
  return { family: address.family, prefix: address.value >> shift, shift, reason };
});

/**
 * Returns true for an ISATAP address: an IPv6 address whose last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address
 * (RFC 5214, section 6.1).
 */
function isIsatap({ family, value }: IpAddress): boolean {
  const upperIdentifier = (value >> 32n) & 0xffff_ffffn;
  return family === 6 && (upperIdentifier === 0x0000_5efen || upperIdentifier === 0x0200_5efen);
}

/** Returns the reason why an address is not a public unicast address; null for a public address. */
export function findNonPublicReason(address: IpAddress): string | null {
  const range = RANGES.find(
    ({ family, shift, prefix }) => family === address.family && address.value >> shift === prefix,
  );
  if (range !== undefined) return range.reason;
  return isIsatap(address) ? 'ISATAP' : null;
}

/**
 * Returns the reason why a text is not a public IP address; null for a public address. To prevent requests into private
 * networks, check every address after name resolution and right before connecting to it.
 *
 * @param text the address without brackets; text that is not an IP address is refused
 */
export function explainNonPublicAddress(text: string): string | null {
  const address = parseIpAddress(text);
  return address === null ? 'not an IP address' : findNonPublicReason(address);
}
