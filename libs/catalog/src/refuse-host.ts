import { BlockList, isIPv4 } from 'node:net';

/**
 * IPv4 networks that are not public, as far as a listing may name them outright. This only keeps listings clean:
 * which address may be dialled is decided for every connection, by whoever dials.
 */
const notPublic = new BlockList();
for (const cidr of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [base = '', length = ''] = cidr.split('/');
  notPublic.addSubnet(base, Number(length), 'ipv4');
}

/** Global unicast is 2000::/3; protocol assignments, documentation and 6to4 lie in it and lead elsewhere. */
const globalIPv6 = /^\[[23][0-9a-f]{3}:/;
const specialIPv6 = /^\[(2001:(:|[01]?[0-9a-f]{1,2}:|db8:)|2002:|3fff:(:|[0-9a-f]{1,3}:))/;

/** A label as name servers take it, with the underscores some hosts have (RFC 1035, section 2.3.1; RFC 2181). */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function refuseName(host: string): string | null {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((part) => label.test(part))) return 'the host is not a domain name';
  if (labels.at(-1) === 'localhost') return 'the host is this machine';
  return labels.length === 1 ? 'the host has a single label and is not a public name' : null;
}

/**
 * Says why a host cannot be that of a public endpoint.
 *
 * @param host - The host name as the URL parser serialises it, an IPv6 address in brackets.
 * @returns The reason in words, or null.
 */
export function refuseHost(host: string): string | null {
  if (isIPv4(host)) return notPublic.check(host, 'ipv4') ? 'the host is not a public address' : null;
  if (!host.startsWith('[')) return refuseName(host);
  return globalIPv6.test(host) && !specialIPv6.test(host) ? null : 'the host is not a public address';
}
