/**
 * Names no resolver on the internet knows. Sources: RFC 6761 (`.test`, `.localhost`, `.invalid`, `.example`),
 * RFC 6762 with its appendix G, RFC 7686 (`.onion`), RFC 8375, ICANN's reservation of `.internal`.
 */
const LOCAL_SUFFIXES = [
  ...['.test', '.localhost', '.invalid', '.example', '.onion', '.home.arpa', '.local', '.localdomain'],
  ...['.internal', '.intranet', '.private', '.corp', '.home', '.lan'],
];

/** Blocks of IPv4 addresses that are of no host on the internet. Source: IANA's registry of special-purpose addresses. */
const LOCAL_BLOCKS: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, and what is reserved with the broadcast address.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Unique local, link-local, multicast and documentation addresses, by the first group. */
const LOCAL_V6 = /^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|ff[0-9a-f]{2}|2001:db8):/;

/**
 * Prefixes behind which two groups of an IPv6 address are an IPv4 address, and where: 6to4 (RFC 3056), NAT64
 * (RFC 6052), mapped and compatible addresses (RFC 4291, 2.5.5), among the latter `::` and `::1`.
 */
const EMBEDDINGS: readonly (readonly [prefix: readonly number[], at: number])[] = [
  [[0x2002], 1],
  [[0x64, 0xff9b, 0, 0, 0, 0], 6],
  [[0, 0, 0, 0, 0, 0xffff], 6],
  [[0, 0, 0, 0, 0, 0], 6],
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
  if (host.startsWith('[')) return isPublicV6(host.slice(1, -1));
  const parts = host.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return isPublicV4(toNumber(host));
  return parts.length > 1 && !LOCAL_SUFFIXES.some((suffix) => `.${host}`.endsWith(suffix));
}

function isPublicV4(address: number): boolean {
  return !LOCAL_BLOCKS.some(
    ([network, bits]) => address >>> (32 - bits) === toNumber(network) >>> (32 - bits),
  );
}

/** Takes the shortest form, in which the URL standard writes every address. */
function isPublicV6(address: string): boolean {
  const groups = groupsOf(address);
  const embedding = EMBEDDINGS.find(([prefix]) => prefix.every((group, index) => groups[index] === group));
  if (embedding === undefined) return !LOCAL_V6.test(address);
  const [upper = 0, lower = 0] = groups.slice(embedding[1]);
  return isPublicV4(((upper << 16) | lower) >>> 0);
}

/** The eight groups of an address, those the double colon stands for among them. */
function groupsOf(address: string): readonly number[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...zeros, ...tail];
}

function toNumber(address: string): number {
  return address.split('.').reduce((value, part) => ((value << 8) | Number(part)) >>> 0, 0);
}
