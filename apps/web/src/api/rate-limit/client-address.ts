import { IPV6_NETWORK_SUFFIX, toNetwork, UNKNOWN_CLIENT } from '@touchstone/common';

interface ProxySettings {
  /**
   * Number of trusted proxies in front of the service. Each proxy appends the address of its client to
   * `X-Forwarded-For`. With 0 proxies, the header is untrusted.
   */
  readonly trustedProxies: number;
  /** True on Vercel. Vercel sends the client address in a special header, and clients cannot set that header. */
  readonly onVercel: boolean;
}

/**
 * Returns the client address for rate limiting: an IPv4 address, or the /64 network of an IPv6 address. The address is
 * read from the last entries of `X-Forwarded-For`, because trusted proxies append these entries. The client can write
 * the earlier entries.
 *
 * @returns `UNKNOWN_CLIENT` if the request has no trusted client address.
 */
export function getClientAddress(headers: Headers, { trustedProxies, onVercel }: ProxySettings): string {
  if (trustedProxies === 0 && !onVercel) return UNKNOWN_CLIENT;
  const hops = (headers.get(onVercel ? 'x-vercel-forwarded-for' : 'x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  // A request that bypassed some of the proxies has fewer entries than there are proxies. The first entry is then the
  // client.
  const client = hops.at(-Math.max(1, trustedProxies)) ?? hops[0];
  const network = client === undefined ? null : toNetwork(removePort(client).replace(/%.*$/, ''));
  return network ?? UNKNOWN_CLIENT;
}

/** Network of a client, with the factor by which its limit exceeds the limit of one client. */
interface Network {
  readonly network: string;
  readonly factor: number;
}

/**
 * Numbers of clients whose limits the wider IPv6 networks have. Providers assign a /64, a /56 or a /48 to a customer
 * (RFC 6177), so a customer with 65,536 networks of /64 is limited like 16 clients.
 */
const WIDER_NETWORKS = [
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
] as const;

/** Returns the networks of a client that are counted: the client itself, and the /56 and /48 of an IPv6 network. */
export function listNetworks(client: string): readonly Network[] {
  const own = { network: client, factor: 1 };
  if (!client.endsWith(IPV6_NETWORK_SUFFIX)) return [own];
  const groups = client.slice(0, -IPV6_NETWORK_SUFFIX.length).split(':');
  const [site, subnet = '0'] = [groups.slice(0, 3), groups[3]];
  const wider = WIDER_NETWORKS.map(({ prefix, factor }) => {
    const kept = (Number.parseInt(subnet, 16) >> (64 - prefix)) << (64 - prefix);
    return { network: `${[...site, kept.toString(16)].join(':')}::/${prefix}`, factor };
  });
  return [own, ...wider];
}

/**
 * Returns the client of a request in a queue: an IPv4 address, or the /48 network of an IPv6 address. The slots of one
 * queue are few, so a customer with a whole /48 counts as one client.
 */
export function toQueueClient(client: string): string {
  return listNetworks(client).at(-1)?.network ?? client;
}

/** Removes the port from an address such as `1.2.3.4:5678` or `[::1]:5678`, because some proxies add the port. */
function removePort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}
