import { getNamespace, normalizeAddress, readCaip19Reference } from '../networks/address.ts';
import { hasV1Name } from '../networks/networks.ts';
import { TOKENS, type Token } from './token-table.ts';

export type { Token } from './token-table.ts';

const tokensByAsset = new Map(TOKENS.map((token) => [toAssetKey(token.network, token.asset), token]));
const tokensByUniqueAddress = new Map(
  TOKENS.filter((token) => token.hasUniqueAddress).map((token) => [
    toNamespaceKey(token.network, token.asset),
    token,
  ]),
);
const usdcByNetwork = new Map<string, Token>(
  TOKENS.filter((token) => token.isCanonicalUsdc).map((token) => [token.network, token]),
);
const clientNetworks = new Set<string>(
  TOKENS.filter((token) => token.isClientDefault).map((token) => token.network),
);
const networksWithTokens = new Set<string>(TOKENS.map((token) => token.network));

function toAssetKey(network: string, asset: string): string {
  return `${network} ${normalizeAddress(network, asset)}`;
}

function toNamespaceKey(network: string, asset: string): string {
  return `${getNamespace(network)} ${normalizeAddress(network, asset)}`;
}

/**
 * Finds an asset in the token table.
 *
 * @param network CAIP-2 id
 * @param asset token address (in any case on EVM), mint or asset id; or a CAIP-19 asset id on the same network
 * @returns null when the table does not contain the asset for this network
 */
export function findToken(network: string, asset: string): Token | null {
  return tokensByAsset.get(toAssetKey(network, toBareAsset(network, asset))) ?? null;
}

/**
 * Finds the token of another network whose address a seller advertises on this network by mistake. Considers only
 * tokens of the same CAIP-2 namespace whose issuer uses the address on no other network.
 *
 * @param network CAIP-2 id of the network on which the asset is advertised
 * @returns null for a token of that network, and for an address that is not known from another network
 */
export function findTokenOfOtherNetwork(network: string, asset: string): Token | null {
  if (findToken(network, asset) !== null) return null;
  return tokensByUniqueAddress.get(toNamespaceKey(network, toBareAsset(network, asset))) ?? null;
}

/** Returns the canonical USDC of a network (CAIP-2 id); null when none is known. */
export function findCanonicalUsdc(network: string): Token | null {
  return usdcByNetwork.get(network) ?? null;
}

/** Returns true for the CAIP-2 id of a network with a version 1 name or with a token in the token table. */
export function isKnownNetwork(network: string): boolean {
  return hasV1Name(network) || networksWithTokens.has(network);
}

/**
 * Returns the address, mint or id inside a CAIP-19 asset id, which some sellers advertise.
 *
 * @param network CAIP-2 id of the expected network
 * @returns the text unchanged if it is not a CAIP-19 id of a token on that network
 */
export function toBareAsset(network: string, asset: string): string {
  return readCaip19Reference(network, asset) ?? asset;
}

/**
 * Returns true when the payee is the contract or mint of the payment token. Payments to it fail or are lost.
 *
 * @param network CAIP-2 id
 */
export function isPayToToken(payTo: string, network: string, asset: unknown): boolean {
  if (typeof asset !== 'string') return false;
  return normalizeAddress(network, payTo) === normalizeAddress(network, toBareAsset(network, asset));
}

/** Returns true for the CAIP-2 id of a network on which the version 2 clients pay in a token by default. */
export function hasClientDefault(network: string): boolean {
  return clientNetworks.has(network);
}
