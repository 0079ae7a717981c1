import { findNonPublicReason, parseIpAddress, type IpAddress } from '@touchstone/common';

/**
 * Names no resolver on the internet knows. Sources: RFC 6761 (`.test`, `.localhost`, `.invalid`, `.example`),
 * RFC 6762 with its appendix G, RFC 7686 (`.onion`), RFC 8375, ICANN's reservation of `.internal`.
 */
const LOCAL_SUFFIXES = [
  ...['.test', '.localhost', '.invalid', '.example', '.onion', '.home.arpa', '.local', '.localdomain'],
  ...['.internal', '.intranet', '.private', '.corp', '.home', '.lan'],
];

/** Unique local, link-local, multicast and documentation addresses, by the first group. */
const LOCAL_V6 = /^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|ff[0-9a-f]{2}|2001:db8):/;

/**
 * IPv6 prefixes that an IPv4 address follows, with their length in bits: 6to4 (RFC 3056), NAT64 (RFC 6052), and
 * IPv4-mapped and IPv4-compatible addresses (RFC 4291, section 2.5.5). The last include `::` and `::1`.
 */
const EMBEDDINGS: readonly (readonly [prefix: bigint, bits: bigint])[] = [
  [0x2002n, 16n],
  [0x64_ff9b_0000_0000_0000_0000n, 96n],
  [0xffffn, 96n],
  [0n, 96n],
];

/**
 * False for a host that nobody on the internet can reach: addresses that are private, loopback, link-local,
 * reserved or for documentation, also where they are embedded in IPv6, names under reserved suffixes, and names
 * without a dot. No address is looked up.
 *
 * @param url a URL of a scheme with hosts the URL standard normalizes, as `http` and `https`
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  const literal = host.replace(/^\[|\]$/g, '');
  const address = parseIpAddress(literal);
  if (address !== null) return isPublicAddress(address, literal);
  return host.includes('.') && !LOCAL_SUFFIXES.some((suffix) => `.${host}`.endsWith(suffix));
}

/** @param literal the shortest form of the address, which the URL standard writes */
function isPublicAddress({ family, value }: IpAddress, literal: string): boolean {
  const embedding =
    family === 6 ? EMBEDDINGS.find(([prefix, bits]) => value >> (128n - bits) === prefix) : undefined;
  if (family === 6 && embedding === undefined) return !LOCAL_V6.test(literal);
  const v4 = embedding === undefined ? value : (value >> (96n - embedding[1])) & 0xffff_ffffn;
  return findNonPublicReason({ family: 4, value: v4 }) === null;
}
