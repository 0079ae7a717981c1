import type { Network, NetworkRow, NetworkToken } from './network-row.ts';
import { NETWORKS, type NetworkId } from './network-table.ts';

/** Rows of the network table, each with the CAIP-2 id of its network. */
const ROWS: readonly (readonly [id: NetworkId, row: NetworkRow])[] =
  // The cast is safe: `Object.entries` returns the keys of the table.
  Object.entries(NETWORKS) as [NetworkId, NetworkRow][];

/** CAIP-2 id of the default payment network: Base. It is used if neither the operator nor the buyer names a network. */
export const DEFAULT_NETWORK = 'eip155:8453' satisfies NetworkId;

/** A known dollar token, with its network. */
export interface Token extends NetworkToken {
  readonly network: NetworkId;
}

/** Every dollar token known to this project. */
export const TOKENS: readonly Token[] = ROWS.flatMap(([network, [, ...tokens]]) =>
  tokens.map((token) => ({ network, ...token })),
);

// Maps instead of objects: a network named "__proto__" or "constructor" must not find a member of the prototype.
const networkById = new Map<string, Network>(ROWS.map(([id, [network]]) => [id, network]));
/** Namespaces of CAIP-2 ids: those of the network table, and those of other networks with x402 payments or tokens. */
const NAMESPACES: ReadonlySet<string> = new Set([
  ...ROWS.map(([id]) => getNamespace(id)),
  ...['aptos', 'bip122', 'cardano', 'casper', 'ccd', 'cip34', 'concordium', 'cosmos', 'keeta', 'near'],
  ...['polkadot', 'stacks', 'starknet', 'sui', 'tezos', 'ton', 'tron', 'tvm', 'xrpl'],
]);
const idByV1Name = new Map<string, NetworkId>(
  ROWS.flatMap(([id, [{ v1Name }]]) => (v1Name === undefined ? [] : [[v1Name, id] as const])),
);
const usdcByNetwork = new Map<string, Token>(
  TOKENS.filter(({ isCanonicalUsdc }) => isCanonicalUsdc).map((token) => [token.network, token]),
);

/** Returns the properties of a network; null for a CAIP-2 id that is not in the network table. */
export function findNetwork(caip2: string): Network | null {
  return networkById.get(caip2) ?? null;
}

/** Returns the name of a network for people; null when the network table has no name for this CAIP-2 id. */
export function getNetworkName(caip2: string): string | null {
  return findNetwork(caip2)?.name ?? null;
}

/** Returns the canonical USDC of a network (CAIP-2 id); null when the canonical USDC is not known. */
export function findCanonicalUsdc(caip2: string): Token | null {
  return usdcByNetwork.get(caip2) ?? null;
}

/**
 * Converts a version 1 network name to a CAIP-2 id.
 *
 * @param network a version 1 name in any case, or other text
 * @returns CAIP-2 id for a known name; other text unchanged
 */
export function toCaip2(network: string): string {
  return idByV1Name.get(network.toLowerCase()) ?? network;
}

/**
 * Parses a network as people and agents write it: a CAIP-2 id, a version 1 name, or the chain id of an EVM network in
 * decimal or hexadecimal digits. The case of namespaces and names does not matter. Payment challenges are parsed with
 * `toCaip2`, because clients pay only the exact ids.
 *
 * @returns CAIP-2 id, which may be the id of an unknown network; null for other text, for an unknown namespace, and for
 *   an unknown Solana network, because all of them are in the table
 */
export function parseNetwork(text: string): string | null {
  const id = toCaip2(/^(\d+|0x[0-9a-f]+)$/i.test(text) ? `eip155:${text}` : text);
  const [, prefix = '', reference = ''] = /^([-\w]+):([!-~]+)$/.exec(id) ?? [];
  const namespace = prefix.toLowerCase();
  if (namespace === 'eip155') {
    return /^(\d+|0x[0-9a-f]+)$/i.test(reference) ? `eip155:${BigInt(reference)}` : null;
  }
  const caip2 = `${namespace}:${reference}`;
  const isKnown = namespace === 'solana' ? networkById.has(caip2) : NAMESPACES.has(namespace);
  return isKnown ? caip2 : null;
}

/** Returns true for a version 1 network name in lower case. */
export function isV1Name(network: string): boolean {
  return idByV1Name.has(network);
}

/** Returns true for a network name that the last version 1 client accepts. */
export function isInV1Client(network: string): boolean {
  const id = idByV1Name.get(network);
  return id !== undefined && findNetwork(id)?.isInV1Client === true;
}

/** Returns true for the CAIP-2 id of a network with a version 1 name. */
export function hasV1Name(caip2: string): boolean {
  return findNetwork(caip2)?.v1Name !== undefined;
}

/** Returns true for the CAIP-2 id of a test network; false for an unknown network. */
export function isTestnet(caip2: string): boolean {
  return findNetwork(caip2)?.isTestnet === true;
}

/** Returns the part of a CAIP-2 id before the colon, such as `eip155`; empty text for an id without a colon. */
export function getNamespace(network: string): string {
  return network.slice(0, Math.max(0, network.indexOf(':')));
}

/**
 * Normalizes an address, so that two spellings of one address become equal. EVM addresses become lower case, because
 * their case does not matter. Addresses of other networks are case-sensitive and stay unchanged.
 *
 * @param network CAIP-2 id
 */
export function normalizeAddress(network: string, address: string): string {
  return network.startsWith('eip155:') ? address.toLowerCase() : address;
}
