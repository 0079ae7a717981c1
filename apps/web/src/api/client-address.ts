import { isIP } from 'node:net';

interface Surroundings {
  /**
   * How many parties in front of this process add the address they see to `X-Forwarded-For`; with none, the whole of it
   * was written by the client.
   */
  readonly trustedProxies: number;
  /** Vercel says itself who asks, in a header that clients cannot set. */
  readonly onVercel: boolean;
}

/** All of those together of whom nobody trustworthy said who they are. */
export const UNKNOWN_CLIENT = 'unknown';

/** IPv6 is handed out by the /64: whoever has one address has all of that network. */
const GROUPS_OF_A_NETWORK = 4;

/**
 * Who asks, for counting: an IPv4 address or the /64 network of an IPv6 one. Only the last entries of
 * `X-Forwarded-For` were written by parties that the operator trusts; the client may have written the others.
 *
 * @returns `UNKNOWN_CLIENT` where nobody trustworthy said
 */
export function clientAddress(headers: Headers, { trustedProxies, onVercel }: Surroundings): string {
  if (trustedProxies === 0 && !onVercel) return UNKNOWN_CLIENT;
  const hops = (headers.get(onVercel ? 'x-vercel-forwarded-for' : 'x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  // Whoever reaches this process past the proxies is known by the outermost address there is.
  const client = hops.at(-Math.max(1, trustedProxies)) ?? hops[0];
  return client === undefined ? UNKNOWN_CLIENT : networkOf(client);
}

function networkOf(hop: string): string {
  const address = withoutPort(hop).replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return UNKNOWN_CLIENT;
  return version === 4 ? address : networkOfIpv6(address);
}

/** `1.2.3.4:5678` and `[::1]:5678`, which some proxies write, without the port. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

function networkOfIpv6(address: string): string {
  // The URL parser writes every IPv6 address in its one canonical way (WHATWG URL, section 3.5).
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0');
  const groups = [...front, ...zeros, ...back];
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  return mapped ? ipv4Of(groups.slice(6)) : `${groups.slice(0, GROUPS_OF_A_NETWORK).join(':')}::/64`;
}

function ipv4Of(groups: readonly string[]): string {
  const bytes = groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
