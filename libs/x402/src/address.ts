import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';

/** How an address or asset looks for its network; `unknown` where this project knows no shape to hold it to. */
export type Shape = 'ok' | 'caip19' | 'bad' | 'unknown';

interface Shapes {
  readonly isAsset: (text: string) => boolean;
  readonly isPayTo: (text: string) => boolean;
  /** What CAIP-19 calls the tokens of this namespace. */
  readonly assetNamespace: string | null;
}

const EVM = /^0x[0-9a-fA-F]{40}$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SOLANA_BYTES = 32;

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** By CAIP-2 namespace. Sources: x402 exact scheme specifications, CAIP-19 profiles, address formats of the chains. */
const SHAPES = new Map<string, Shapes>([
  ['eip155', { isAsset: isEvmAddress, isPayTo: isEvmAddress, assetNamespace: 'erc20' }],
  ['solana', { isAsset: isBase58Address, isPayTo: isBase58Address, assetNamespace: 'token' }],
  [
    'algorand',
    { isAsset: matches(/^[0-9]{1,20}$/), isPayTo: matches(/^[A-Z2-7]{58}$/), assetNamespace: 'asa' },
  ],
  [
    'stellar',
    { isAsset: matches(/^C[A-Z2-7]{55}$/), isPayTo: matches(/^[GC][A-Z2-7]{55}$/), assetNamespace: null },
  ],
]);

/** Addresses nobody can spend from: what is paid to them is destroyed. */
const BURN = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);

/** The part of a CAIP-2 id before the colon, as in `eip155`; empty where there is no colon. */
export function namespaceOf(network: string): string {
  return network.slice(0, Math.max(0, network.indexOf(':')));
}

/**
 * @param network CAIP-2 id
 * @param asset as advertised; a CAIP-19 id of a token on that network is `caip19`, which clients do not understand
 */
export function assetShape(network: string, asset: string): Shape {
  const shapes = SHAPES.get(namespaceOf(network));
  if (shapes === undefined) return 'unknown';
  if (shapes.isAsset(asset)) return 'ok';
  const reference = caip19Reference(network, asset);
  return reference !== null && shapes.isAsset(reference) ? 'caip19' : 'bad';
}

/**
 * The address, mint or id inside a CAIP-19 asset id. Source: CAIP-19.
 *
 * @param network CAIP-2 id the asset must be of
 * @param asset as in `eip155:8453/erc20:0x8335…` or `solana:…/token:EPjF…`
 * @returns null when it is no such id, or one of another network or of anything but a token
 */
export function caip19Reference(network: string, asset: string): string | null {
  const namespace = SHAPES.get(namespaceOf(network))?.assetNamespace ?? null;
  const prefix = `${network}/${namespace ?? ''}:`;
  if (namespace === null || !asset.startsWith(prefix) || asset.length === prefix.length) return null;
  return asset.slice(prefix.length);
}

/**
 * @param network CAIP-2 id
 * @param payTo as advertised
 */
export function payToShape(network: string, payTo: string): Exclude<Shape, 'caip19'> {
  const shapes = SHAPES.get(namespaceOf(network));
  if (shapes === undefined) return 'unknown';
  return shapes.isPayTo(payTo) ? 'ok' : 'bad';
}

/** True for the address of an EVM account or contract, whatever its checksum. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && EVM.test(value);
}

/** True for a Solana address or mint: base58 of exactly 32 bytes. */
export function isBase58Address(value: unknown): value is string {
  // The pattern keeps the decoding short and rules out all it could throw over.
  return typeof value === 'string' && BASE58.test(value) && base58.decode(value).length === SOLANA_BYTES;
}

/** True when money sent there is destroyed. */
export function isBurnAddress(payTo: string): boolean {
  return BURN.has(payTo.startsWith('0x') ? payTo.toLowerCase() : payTo);
}

/**
 * What the case of an EVM address says: its letters are capitals where a hash of the address has a high digit.
 * Source: ERC-55.
 *
 * @param address of EVM shape
 * @returns `none` when all letters are of one case, which is an address without a checksum
 */
export function hasChecksum(address: string): 'ok' | 'bad' | 'none' {
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const upper = digits.toUpperCase();
  if (lower === upper) return 'ok';
  if (digits === lower || digits === upper) return 'none';
  const hash = keccak_256(new TextEncoder().encode(lower));
  const isRight = [...digits].every((digit, at) => {
    const byte = hash[at >> 1] ?? 0;
    const isHigh = (at % 2 === 0 ? byte >> 4 : byte & 15) >= 8;
    return digit === (isHigh ? upper : lower).charAt(at);
  });
  return isRight ? 'ok' : 'bad';
}
