import { isIP } from 'node:net';

interface ProxySettings {
  /**
   * Number of trusted proxies that append the address of their peer to `X-Forwarded-For`. Without any, the header is
   * untrusted.
   */
  readonly trustedProxies: number;
  /** True on Vercel, which sets a header with the client address that clients cannot set. */
  readonly onVercel: boolean;
}

/** Client of all requests without a trusted address. */
export const UNKNOWN_CLIENT = 'unknown';

/** Length of an IPv6 network in groups of 16 bits: a /64, because providers assign at least a /64 to a customer. */
const NETWORK_PREFIX_GROUPS = 4;

/**
 * Returns the client address for rate limiting: an IPv4 address, or the /64 network of an IPv6 address. Only the last
 * entries of `X-Forwarded-For` come from trusted proxies; the client can write the others.
 *
 * @returns `UNKNOWN_CLIENT` without a trusted address
 */
export function getClientAddress(headers: Headers, { trustedProxies, onVercel }: ProxySettings): string {
  if (trustedProxies === 0 && !onVercel) return UNKNOWN_CLIENT;
  const hops = (headers.get(onVercel ? 'x-vercel-forwarded-for' : 'x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  // A request that bypassed some of the proxies has fewer entries. The first one is then the client.
  const client = hops.at(-Math.max(1, trustedProxies)) ?? hops[0];
  return client === undefined ? UNKNOWN_CLIENT : toNetwork(client);
}

function toNetwork(hop: string): string {
  const address = removePort(hop).replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return UNKNOWN_CLIENT;
  return version === 4 ? address : toIpv6Network(address);
}

/** Removes the port from `1.2.3.4:5678` and `[::1]:5678`, which some proxies write. */
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
