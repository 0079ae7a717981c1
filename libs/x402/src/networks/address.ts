import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { getNamespace } from './networks.ts';

/**
 * Result of a format check. `caip19`: a CAIP-19 asset id instead of an address. `unknown`: a network without a known
 * format.
 */
type FormatCheck = 'valid' | 'caip19' | 'invalid' | 'unknown';

/** Address formats of the networks in one CAIP-2 namespace. */
interface NamespaceFormats {
  readonly isAsset: (text: string) => boolean;
  readonly isPayTo: (text: string) => boolean;
  /** CAIP-19 namespace of token ids, such as `erc20`; null when CAIP-19 defines no namespace for these networks. */
  readonly assetNamespace: string | null;
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SOLANA_ADDRESS_BYTES = 32;

function createMatcher(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/**
 * Address formats by CAIP-2 namespace. Sources: x402 exact scheme specifications, CAIP-19 profiles, address formats of
 * the chains.
 */
const FORMATS = new Map<string, NamespaceFormats>([
  ['eip155', { isAsset: isEvmAddress, isPayTo: isEvmAddress, assetNamespace: 'erc20' }],
  ['solana', { isAsset: isBase58Address, isPayTo: isBase58Address, assetNamespace: 'token' }],
  [
    'algorand',
    {
      isAsset: createMatcher(/^[0-9]{1,20}$/),
      isPayTo: createMatcher(/^[A-Z2-7]{58}$/),
      assetNamespace: 'asa',
    },
  ],
  [
    'stellar',
    {
      isAsset: createMatcher(/^C[A-Z2-7]{55}$/),
      isPayTo: createMatcher(/^[GC][A-Z2-7]{55}$/),
      assetNamespace: null,
    },
  ],
]);

/**
 * EVM addresses without a known private key, in lower case: the lowest 768 addresses, which are reserved for precompiled
 * contracts (EIP-1352), and addresses that end with `dead` after zeros, begin with `dead` and zeros or repeat `dead`. On
 * Hedera, the accounts of users have the addresses from 0x…3e9 on.
 */
const EVM_BURN_ADDRESS = /^0x(0{37}[0-2][0-9a-f]{2}|0{36}dead|dead0{8}.*|(dead)+)$/;
/** Solana addresses without a known private key. */
const SOLANA_BURN_ADDRESSES = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);

/**
 * Checks the format of an advertised asset.
 *
 * @param network CAIP-2 id
 * @returns `caip19` for a CAIP-19 id of a token on that network, a format that clients do not support
 */
export function checkAssetFormat(network: string, asset: string): FormatCheck {
  const formats = FORMATS.get(getNamespace(network));
  if (formats === undefined) return 'unknown';
  if (formats.isAsset(asset)) return 'valid';
  const reference = readCaip19Reference(network, asset);
  return reference !== null && formats.isAsset(reference) ? 'caip19' : 'invalid';
}

/**
 * Returns the address, mint or id inside a CAIP-19 asset id. Source: CAIP-19.
 *
 * @param network CAIP-2 id of the expected network
 * @param asset for example `eip155:8453/erc20:0x8335…` or `solana:…/token:EPjF…`
 * @returns null for other text, for an id on another network, and for the id of an asset that is not a token
 */
export function readCaip19Reference(network: string, asset: string): string | null {
  const namespace = FORMATS.get(getNamespace(network))?.assetNamespace ?? null;
  const prefix = `${network}/${namespace ?? ''}:`;
  if (namespace === null || !asset.startsWith(prefix) || asset.length === prefix.length) return null;
  return asset.slice(prefix.length);
}

/**
 * Checks the format of an advertised payTo address.
 *
 * @param network CAIP-2 id
 */
export function checkPayToFormat(network: string, payTo: string): Exclude<FormatCheck, 'caip19'> {
  const formats = FORMATS.get(getNamespace(network));
  if (formats === undefined) return 'unknown';
  return formats.isPayTo(payTo) ? 'valid' : 'invalid';
}

/** Returns true for the address of an EVM account or contract. Its checksum is not verified. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && EVM_ADDRESS.test(value);
}

/** Returns true for a Solana address or mint: base58 of exactly 32 bytes. */
export function isBase58Address(value: unknown): value is string {
  // The pattern limits the length for the decoder, and excludes every text for which the decoder throws.
  return (
    typeof value === 'string' &&
    BASE58_ADDRESS.test(value) &&
    base58.decode(value).length === SOLANA_ADDRESS_BYTES
  );
}

/** Returns true for a burn address. Money sent to a burn address is lost. */
export function isBurnAddress(payTo: string): boolean {
  return EVM_BURN_ADDRESS.test(payTo.toLowerCase()) || SOLANA_BURN_ADDRESSES.has(payTo);
}

/**
 * Verifies the checksum of an EVM address. The case of the letters (upper or lower) encodes the checksum. A letter is
 * upper case if the hash of the address has a digit of 8 or more at the same position. Source: ERC-55.
 *
 * @param address address in EVM format
 * @returns `none` when all letters have the same case and do not match, because such an address has no checksum
 */
export function verifyChecksum(address: string): 'valid' | 'invalid' | 'none' {
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const upper = digits.toUpperCase();
  const hash = keccak_256(new TextEncoder().encode(lower));
  const isCorrect = [...digits].every((digit, index) => {
    const byte = hash[index >> 1] ?? 0;
    const isHigh = (index % 2 === 0 ? byte >> 4 : byte & 15) >= 8;
    return digit === (isHigh ? upper : lower).charAt(index);
  });
  if (isCorrect) return 'valid';
  return digits === lower || digits === upper ? 'none' : 'invalid';
}

/** Shortens an address to its first six and last four characters. Returns texts of up to 14 characters unchanged. */
export function shortenAddress(address: string): string {
  const characters = [...address];
  if (characters.length <= 14) return address;
  return `${characters.slice(0, 6).join('')}…${characters.slice(-4).join('')}`;
}
