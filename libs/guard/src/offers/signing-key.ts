import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readMember, readText } from '@touchstone/x402/json';
import { base58, base64urlnopad, hex } from '@scure/base';

/** Public key that may sign offers. A secp256k1 key is compared by its EVM address. */
export type SigningKey =
  | { readonly id: string; readonly curve: 'secp256k1'; readonly address: string }
  /** `bytes`: point on P-256, compressed or not, or the 32 bytes of an Ed25519 key. */
  | { readonly id: string; readonly curve: 'P-256' | 'Ed25519'; readonly bytes: Uint8Array };

/** Codes of the key types in a multibase key (multicodec, as a varint of two bytes). */
const MULTICODECS = new Map<string, SigningKey['curve']>([
  ['ed01', 'Ed25519'],
  ['e701', 'secp256k1'],
  ['8024', 'P-256'],
]);
/** Maximum length of a key as text. Base58 is decoded in quadratic time. */
const MAX_KEY_CHARS = 256;
/** EVM account in CAIP-10 format. */
const EVM_ACCOUNT = /^eip155:[0-9]+:(0x[0-9a-fA-F]{40})$/;

/** Returns the key of a payment's recipient; null on networks whose addresses are neither EVM nor Solana keys. */
export function toRecipientKey(network: string, payTo: string): SigningKey | null {
  if (network.startsWith('eip155:')) return { id: payTo, curve: 'secp256k1', address: payTo.toLowerCase() };
  if (!network.startsWith('solana:')) return null;
  const bytes = decode(() => base58.decode(payTo));
  return bytes?.length === 32 ? { id: payTo, curve: 'Ed25519', bytes } : null;
}

/** Reads a verification method of a DID document (DID Core 1.0, section 5.2). Returns null for an unsupported key. */
export function readVerificationMethod(method: unknown): SigningKey | null {
  const id = readText(method, 'id') ?? '';
  const account = EVM_ACCOUNT.exec(readText(method, 'blockchainAccountId') ?? '')?.[1];
  if (account !== undefined) return { id, curve: 'secp256k1', address: account.toLowerCase() };
  const multibase = readText(method, 'publicKeyMultibase');
  return multibase === null ? readJwk(id, readMember(method, 'publicKeyJwk')) : readMultibase(id, multibase);
}

/** Reads a public key in JWK format (RFC 7517, RFC 8037, RFC 8812). Returns null for an unsupported key. */
export function readJwk(id: string, jwk: unknown): SigningKey | null {
  const [x, y] = ['x', 'y'].map((name) => {
    const text = readText(jwk, name) ?? '';
    return text.length <= MAX_KEY_CHARS ? decode(() => base64urlnopad.decode(text)) : null;
  });
  const curve = readText(jwk, 'crv');
  if (x?.length !== 32) return null;
  if (curve === 'Ed25519') return { id, curve, bytes: x };
  if ((curve !== 'secp256k1' && curve !== 'P-256') || y?.length !== 32) return null;
  return toSigningKey(id, curve, Uint8Array.of(4, ...x, ...y));
}

function readMultibase(id: string, text: string): SigningKey | null {
  if (!text.startsWith('z') || text.length > MAX_KEY_CHARS) return null;
  const bytes = decode(() => base58.decode(text.slice(1)));
  const curve = bytes === null ? undefined : MULTICODECS.get(hex.encode(bytes.subarray(0, 2)));
  return bytes === null || curve === undefined ? null : toSigningKey(id, curve, bytes.slice(2));
}

function toSigningKey(id: string, curve: SigningKey['curve'], bytes: Uint8Array): SigningKey | null {
  if (curve !== 'secp256k1') return { id, curve, bytes };
  const address = decode(() => toEvmAddress(bytes));
  return address === null ? null : { id, curve, address };
}

/**
 * Returns the EVM address of a secp256k1 key, in lower case.
 *
 * @param publicKey point on the curve, compressed or not
 * @throws Error for another value
 */
export function toEvmAddress(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return `0x${hex.encode(keccak_256(point.subarray(1)).subarray(12))}`;
}

/** Returns the result of a decoder; null if the decoder throws, as decoders do for malformed text. */
export function decode<T>(decoder: () => T): T | null {
  try {
    return decoder();
  } catch {
    return null;
  }
}
