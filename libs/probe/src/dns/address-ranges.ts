/** A block of addresses that is never dialled, and why. */
export interface AddressRange {
  readonly cidr: string;
  readonly reason: string;
}

/**
 * Everything that is not globally routable, after the IANA special-purpose address registries for IPv4 and
 * IPv6 (RFC 6890), and every IPv6 form that carries an IPv4 address. The first match gives the reason.
 */
export const refusedRanges: readonly AddressRange[] = [
  { cidr: '0.0.0.0/8', reason: 'this host on this network' },
  { cidr: '10.0.0.0/8', reason: 'private network' },
  { cidr: '100.64.0.0/10', reason: 'shared address space of carriers' },
  { cidr: '127.0.0.0/8', reason: 'loopback' },
  { cidr: '168.63.129.16/32', reason: 'platform service of a cloud provider' },
  { cidr: '169.254.0.0/16', reason: 'link-local' },
  { cidr: '172.16.0.0/12', reason: 'private network' },
  { cidr: '192.0.0.0/24', reason: 'protocol assignments' },
  { cidr: '192.0.2.0/24', reason: 'documentation' },
  { cidr: '192.88.99.0/24', reason: '6to4 relay' },
  { cidr: '192.168.0.0/16', reason: 'private network' },
  { cidr: '198.18.0.0/15', reason: 'benchmarking' },
  { cidr: '198.51.100.0/24', reason: 'documentation' },
  { cidr: '203.0.113.0/24', reason: 'documentation' },
  { cidr: '224.0.0.0/4', reason: 'multicast' },
  { cidr: '255.255.255.255/32', reason: 'broadcast' },
  { cidr: '240.0.0.0/4', reason: 'reserved' },
  { cidr: '::/128', reason: 'unspecified' },
  { cidr: '::1/128', reason: 'loopback' },
  { cidr: '::ffff:0:0/96', reason: 'IPv4-mapped' },
  { cidr: '::/96', reason: 'IPv4-compatible' },
  { cidr: '::ffff:0:0:0/96', reason: 'IPv4-translated' },
  { cidr: '64:ff9b::/96', reason: 'NAT64' },
  { cidr: '64:ff9b:1::/48', reason: 'local NAT64' },
  { cidr: '100::/64', reason: 'discard' },
  { cidr: '2001::/32', reason: 'Teredo' },
  { cidr: '2001:db8::/32', reason: 'documentation' },
  { cidr: '2001::/23', reason: 'protocol assignments' },
  { cidr: '2002::/16', reason: '6to4' },
  { cidr: '3fff::/20', reason: 'documentation' },
  { cidr: 'fc00::/7', reason: 'unique local network' },
  { cidr: 'fe80::/10', reason: 'link-local' },
  { cidr: 'fec0::/10', reason: 'site-local' },
  { cidr: 'ff00::/8', reason: 'multicast' },
];
