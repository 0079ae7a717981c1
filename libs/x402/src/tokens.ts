import { caip19Reference, namespaceOf } from './address.ts';
import { isNamedNetwork } from './networks.ts';
import { TOKENS, type Token } from './token-table.ts';

export type { Token } from './token-table.ts';

/** Hex addresses mean the same in any case; mints and ids do not. */
function keyOf(place: string, asset: string): string {
  return `${place} ${place.startsWith('eip155') ? asset.toLowerCase() : asset}`;
}

const byAsset = new Map(TOKENS.map((token) => [keyOf(token.network, token.asset), token]));
const boundByAsset = new Map(
  TOKENS.filter(({ bound }) => bound).map((token) => [keyOf(namespaceOf(token.network), token.asset), token]),
);
const usdcByNetwork = new Map(
  TOKENS.filter((token) => token.canonicalUsdc).map((token) => [token.network, token]),
);
const clientNetworks = new Set(TOKENS.filter((token) => token.clientDefault).map((token) => token.network));
const networksWithTokens = new Set(TOKENS.map((token) => token.network));

/**
 * The token behind an asset, if this project knows it there.
 *
 * @param network CAIP-2 id
 * @param asset address (any case on EVM), mint or id; a CAIP-19 asset of the same network is understood too
 */
export function findToken(network: string, asset: string): Token | null {
  return byAsset.get(keyOf(network, bareAsset(network, asset))) ?? null;
}

/**
 * The token an asset is on another network of the same namespace, where that is sure to be a mistake: its issuer
 * put it at this address nowhere else.
 *
 * @param network CAIP-2 id the asset is advertised on
 * @returns null for a token of that network itself, and for one this project does not know to be elsewhere
 */
export function findStray(network: string, asset: string): Token | null {
  if (findToken(network, asset) !== null) return null;
  return boundByAsset.get(keyOf(namespaceOf(network), bareAsset(network, asset))) ?? null;
}

/** The canonical USDC of a network (CAIP-2 id); null where none is known. */
export function canonicalUsdc(network: string): Token | null {
  return usdcByNetwork.get(network) ?? null;
}

/** True for a CAIP-2 id this project has a name or a token for. */
export function isKnownNetwork(network: string): boolean {
  return isNamedNetwork(network) || networksWithTokens.has(network);
}

/**
 * The address, mint or id of a CAIP-19 asset id, which some sellers advertise instead; any other text as it is.
 *
 * @param network CAIP-2 id; an id of another network is left whole
 */
export function bareAsset(network: string, asset: string): string {
  return caip19Reference(network, asset) ?? asset;
}

/** True for a CAIP-2 id the version 2 clients have a token for. */
export function hasClientDefault(network: string): boolean {
  return clientNetworks.has(network);
}
