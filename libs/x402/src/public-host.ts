/** Names no resolver on the internet knows. Sources: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `.internal`. */
const LOCAL_SUFFIXES = ['.localhost', '.localdomain', '.local', '.internal', '.home.arpa'];

/** Blocks of IPv4 addresses that are loopback, private, link-local, shared by a carrier or of no host at all. */
const LOCAL_BLOCKS: readonly (readonly [network: number, bits: number])[] = [
  [toNumber(0, 0), 8],
  [toNumber(10, 0), 8],
  [toNumber(100, 64), 10],
  [toNumber(127, 0), 8],
  [toNumber(169, 254), 16],
  [toNumber(172, 16), 12],
  [toNumber(192, 168), 16],
];

/**
 * False for a host that only its own machine or network can reach: loopback, private and link-local addresses,
 * names under reserved suffixes, and names without a dot. No address is looked up.
 *
 * @param url a URL of a scheme with hosts the URL standard normalizes, as `http` and `https`
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (host.startsWith('[')) return isPublicV6(host.slice(1, -1));
  const parts = host.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return isPublicV4(host);
  return parts.length > 1 && !LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

function isPublicV4(address: string): boolean {
  const [first = 0, second = 0] = address.split('.').map(Number);
  const value = toNumber(first, second);
  return !LOCAL_BLOCKS.some(([network, bits]) => value >>> (32 - bits) === network >>> (32 - bits));
}

/** Takes the shortest form, in which the URL standard writes every address. */
function isPublicV6(address: string): boolean {
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(address)?.[1];
  if (mapped !== undefined) {
    const upper = Number.parseInt(mapped, 16);
    return isPublicV4(`${upper >> 8}.${upper & 0xff}.0.0`);
  }
  return address !== '::' && address !== '::1' && !/^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(address);
}

/** The upper half of an address is all the blocks differ in. */
function toNumber(first: number, second: number): number {
  return ((first << 24) | (second << 16)) >>> 0;
}
