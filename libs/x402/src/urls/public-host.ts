import { findNonPublicReason, parseIpAddress, type IpAddress } from '@touchstone/common';

/**
 * Name suffixes that the public DNS never resolves. Sources: RFC 6761 (`.test`, `.localhost`, `.invalid`, `.example`),
 * RFC 6762 and its appendix G, RFC 7686 (`.onion`), RFC 8375, ICANN's reservation of `.internal`.
 */
const LOCAL_SUFFIXES = [
  ...['.test', '.localhost', '.invalid', '.example', '.onion', '.home.arpa', '.local', '.localdomain'],
  ...['.internal', '.intranet', '.private', '.corp', '.home', '.lan'],
];

/**
 * Pattern for unique local, link-local, multicast and documentation IPv6 addresses. It tests the first groups of the
 * address.
 */
const LOCAL_V6 = /^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|ff[0-9a-f]{2}|2001:db8):/;

/**
 * Prefixes of IPv6 addresses that embed an IPv4 address after the prefix, with the prefix length in bits: 6to4 (RFC
 * 3056), NAT64 (RFC 6052), IPv4-mapped and IPv4-compatible (RFC 4291, section 2.5.5). The IPv4-compatible prefix also
 * covers `::` and `::1`.
 */
const EMBEDDED_IPV4: readonly (readonly [prefix: bigint, bits: bigint])[] = [
  [0x2002n, 16n],
  [0x64_ff9b_0000_0000_0000_0000n, 96n],
  [0xffffn, 96n],
  [0n, 96n],
];

/**
 * Returns false for a host that is not reachable from the internet: a private, loopback, link-local, reserved or
 * documentation address (also when embedded in IPv6), a name under a reserved suffix, or a name without a dot. Names
 * are not resolved.
 *
 * @param url URL with a scheme for which the URL parser normalizes the host, such as `http` or `https`
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  const literal = host.replace(/^\[|\]$/g, '');
  const address = parseIpAddress(literal);
  if (address !== null) return isPublicAddress(address, literal);
  return host.includes('.') && !LOCAL_SUFFIXES.some((suffix) => `.${host}`.endsWith(suffix));
}

/** @param literal address in its shortest form, as returned by the URL parser */
function isPublicAddress({ family, value }: IpAddress, literal: string): boolean {
  const embedding =
    family === 6 ? EMBEDDED_IPV4.find(([prefix, bits]) => value >> (128n - bits) === prefix) : undefined;
  if (family === 6 && embedding === undefined) return !LOCAL_V6.test(literal);
  const v4 = embedding === undefined ? value : (value >> (96n - embedding[1])) & 0xffff_ffffn;
  return findNonPublicReason({ family: 4, value: v4 }) === null;
}
