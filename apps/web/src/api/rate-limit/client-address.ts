import { isIP } from 'node:net';

interface ProxySettings {
  /**
   * Number of trusted proxies in front of the service. Each of them appends the address of its client to
   * `X-Forwarded-For`. With 0 proxies, the header is untrusted.
   */
  readonly trustedProxies: number;
  /** True on Vercel, which sends the client address in its own header. Clients cannot set that header. */
  readonly onVercel: boolean;
}

/** Client id of all requests whose client address is not known. */
export const UNKNOWN_CLIENT = 'unknown';

/**
 * Length of an IPv6 network prefix, in groups of 16 bits. Four groups are a /64, the smallest network that providers
 * assign to a customer.
 */
const NETWORK_PREFIX_GROUPS = 4;

/**
 * Returns the client address for rate limiting: an IPv4 address, or the /64 network of an IPv6 address. The address is
 * read from the last entries of `X-Forwarded-For`, which trusted proxies append. The client can write the earlier
 * entries.
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
  return client === undefined ? UNKNOWN_CLIENT : toNetwork(client);
}

function toNetwork(hop: string): string {
  const address = removePort(hop).replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return UNKNOWN_CLIENT;
  return version === 4 ? address : toIpv6Network(address);
}

/** Removes the port from an address such as `1.2.3.4:5678` or `[::1]:5678`, because some proxies add the port. */
function removePort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

function toIpv6Network(address: string): string {
  // The URL parser returns the canonical form of an IPv6 address (WHATWG URL, section 3.5).
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0');
  const groups = [...front, ...zeros, ...back];
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  return mapped ? toIpv4(groups.slice(6)) : `${groups.slice(0, NETWORK_PREFIX_GROUPS).join(':')}::/64`;
}

function toIpv4(groups: readonly string[]): string {
  const bytes = groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
