import { quote, readMember, readText } from '../json/untrusted-json.ts';
import { checkAssetFormat, readCaip19Reference } from './address.ts';
import {
  findCanonicalUsdc,
  getNamespace,
  hasV1Name,
  normalizeAddress,
  type Token,
  TOKENS,
} from './networks.ts';

const tokensByAsset = new Map(TOKENS.map((token) => [toAssetKey(token.network, token.asset), token]));
const tokensByUniqueAddress = new Map(
  TOKENS.filter((token) => token.hasUniqueAddress).map((token) => [
    toNamespaceKey(token.network, token.asset),
    token,
  ]),
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
 * Finds a token of another network by its address, which a seller advertises on this network by mistake. Considers only
 * tokens of the same CAIP-2 namespace. The issuer must use the address on no other network.
 *
 * @param network CAIP-2 id of the network on which the asset is advertised
 * @returns null for a token of that network, and for an address that is not known from another network
 */
export function findTokenOfOtherNetwork(network: string, asset: string): Token | null {
  if (findToken(network, asset) !== null) return null;
  return tokensByUniqueAddress.get(toNamespaceKey(network, toBareAsset(network, asset))) ?? null;
}

/** Returns true for the CAIP-2 id of a network with a version 1 name or with a token in the token table. */
export function isKnownNetwork(network: string): boolean {
  return hasV1Name(network) || networksWithTokens.has(network);
}

/**
 * Returns the address, mint or id inside a CAIP-19 asset id, which some sellers advertise.
 *
 * @param network CAIP-2 id of the expected network
 * @returns any other text unchanged, also the CAIP-19 id of a token on another network
 */
export function toBareAsset(network: string, asset: string): string {
  return readCaip19Reference(network, asset) ?? asset;
}

/**
 * Returns true when the payee is the contract or mint of the payment token. Such a payment fails or is lost.
 *
 * @param network CAIP-2 id
 */
export function isPayToToken(payTo: string, network: string, asset: unknown): boolean {
  if (typeof asset !== 'string') return false;
  return normalizeAddress(network, payTo) === normalizeAddress(network, toBareAsset(network, asset));
}

/**
 * Returns true when the version 2 clients pay by default in at least one token of the network. `network` is a CAIP-2
 * id.
 */
export function hasClientDefault(network: string): boolean {
  return clientNetworks.has(network);
}

/** Returns true when `extra` contains the EIP-712 domain (name and version) for signing an EIP-3009 authorization. */
export function hasEip712Domain(extra: unknown): boolean {
  return Boolean(readText(extra, 'name')) && Boolean(readText(extra, 'version'));
}

/**
 * Describes the difference between the EIP-712 domain in `extra` and the domain of a token contract, without a full
 * stop. Returns null when both are equal. The contract rejects every authorization that is signed with another domain.
 */
export function describeWrongDomain(extra: unknown, domain: NonNullable<Token['domain']>): string | null {
  const [name, version] = [readMember(extra, 'name'), readMember(extra, 'version')];
  if (name === domain.name && version === domain.version) return null;
  return `extra names the token ${quote(name)} version ${quote(version)}, but the contract signs as ${domain.name} version ${domain.version}`;
}

const USDC_NAMES = /^(usdc|usd coin)$/i;

/** Token that a payment option advertises on a network. */
interface TokenClaim {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly extra: unknown;
}

/**
 * Returns true when an option claims to be USDC but its asset is not the network's canonical USDC.
 *
 * Returns false for a network without a known canonical USDC. Also returns false when the asset is not an address, such
 * as a symbol or empty text. The rules on asset formats report such an option.
 */
export function isFalseUsdc({ network, asset, extra }: TokenClaim): boolean {
  const canonical = findCanonicalUsdc(network);
  if (canonical === null) return false;
  const names = [readText(extra, 'name'), readText(extra, 'symbol')];
  if (!names.some((name) => name !== null && USDC_NAMES.test(name.trim()))) return false;
  const bare = toBareAsset(network, asset);
  if (checkAssetFormat(network, bare) !== 'valid') return false;
  return canonical.domain === null
    ? bare !== canonical.asset
    : bare.toLowerCase() !== canonical.asset.toLowerCase();
}
