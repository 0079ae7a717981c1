import { findNonPublicReason, parseIpAddress } from './ip-address.ts';

/**
 * Name suffixes that the public DNS never resolves. Sources: RFC 6761 (`.test`, `.localhost`, `.invalid`, `.example`),
 * RFC 6762 and its appendix G, RFC 7686 (`.onion`), RFC 8375, ICANN's reservation of `.internal`.
 */
const LOCAL_SUFFIXES = [
  ...['.test', '.localhost', '.invalid', '.example', '.onion', '.home.arpa', '.local', '.localdomain'],
  ...['.internal', '.intranet', '.private', '.corp', '.home', '.lan'],
];

/**
 * Returns false for a host name that the public DNS never resolves: a name under a reserved suffix, or a name without a
 * dot. The name is not resolved.
 *
 * @param host host name as the URL parser returns it
 */
export function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !LOCAL_SUFFIXES.some((suffix) => `.${name}`.endsWith(suffix));
}

/**
 * Returns false for a host that is not reachable from the internet: an IP address that is not a public unicast address,
 * or a name that the public DNS never resolves. Names are not resolved.
 *
 * @param url URL whose host the URL parser normalizes, such as an `http` or `https` URL
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  const address = parseIpAddress(host.replace(/^\[|\]$/g, ''));
  return address === null ? isPublicName(host) : findNonPublicReason(address) === null;
}

/**
 * Returns true for a loopback host. Requests to a loopback host never leave this machine.
 *
 * @param hostname host name as the URL parser returns it
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.[0-9]{1,3}){3}$/.test(hostname);
}
