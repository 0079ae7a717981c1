import { ecdsa } from '@noble/curves/abstract/weierstrass.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { parseJson } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { base64urlnopad, hex } from '@scure/base';
import { decode, readJwk, toEvmAddress, type SigningKey } from './signing-key.ts';

/** Signed offer whose signature is not verified yet. */
export interface ParsedOffer {
  readonly payload: unknown;
  /** Signer that the offer names or that its signature reveals, for messages. */
  readonly signer: string;
  readonly isSignedBy: (key: SigningKey) => Promise<boolean>;
}

/** Maximum length of a signature, in characters. A JWS contains the offer. */
const MAX_SIGNATURE_CHARS = 16_384;

/**
 * Parses an entry of `offers` (extension `offer-receipt`, section 3.1).
 *
 * @returns null for an entry that has another format, or no readable signature
 */
export function parseOffer(offer: unknown): ParsedOffer | null {
  const signature = readText(offer, 'signature') ?? '';
  if (signature.length > MAX_SIGNATURE_CHARS) return null;
  const format = readText(offer, 'format');
  if (format === 'eip712') return parseTypedOffer(readMember(offer, 'payload'), signature);
  return format === 'jws' ? parseJws(signature) : null;
}

function parseTypedOffer(payload: unknown, signature: string): ParsedOffer | null {
  const match = /^0x([0-9a-fA-F]{128})(1b|1c|00|01)$/i.exec(signature);
  const hash = hashOffer(payload);
  if (match === null || hash === null) return null;
  const recovery = Number.parseInt(match[2] ?? '', 16) % 27;
  const address = recoverAddress(hex.decode((match[1] ?? '').toLowerCase()), hash, recovery);
  if (address === null) return null;
  return {
    payload,
    signer: address,
    isSignedBy: (key) => Promise.resolve(key.curve === 'secp256k1' && key.address === address),
  };
}

const OFFER_TYPE =
  'Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,string payTo,string amount,uint256 validUntil)';
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId)';
const OFFER_TEXTS = ['resourceUrl', 'scheme', 'network', 'asset', 'payTo', 'amount'];

/** Returns the EIP-712 hash of an offer; null for a payload without the members of an offer. */
function hashOffer(payload: unknown): Uint8Array | null {
  const texts = OFFER_TEXTS.map((name) => readText(payload, name)).filter((text) => text !== null);
  const version = encodeInteger(readMember(payload, 'version'));
  // A signer replaces a missing validUntil by 0 (section 4.3 of the extension).
  const validUntil = encodeInteger(readMember(payload, 'validUntil') ?? 0);
  if (texts.length !== OFFER_TEXTS.length || version === null || validUntil === null) return null;
  const domain = [hashText(DOMAIN_TYPE), hashText('x402 offer'), hashText('1'), encodeInteger(1) ?? version];
  const offer = [hashText(OFFER_TYPE), version, ...texts.map(hashText), validUntil];
  return keccak_256(concat([Uint8Array.of(0x19, 0x01), hashAll(domain), hashAll(offer)]));
}

function hashAll(words: readonly Uint8Array[]): Uint8Array {
  return keccak_256(concat(words));
}

function hashText(text: string): Uint8Array {
  return keccak_256(new TextEncoder().encode(text));
}

/** Encodes an integer as a word of 32 bytes; null for another value. */
function encodeInteger(value: unknown): Uint8Array | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return null;
  return hex.decode(value.toString(16).padStart(64, '0'));
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const ECDSA = ecdsa(secp256k1.Point, sha256);

/** Returns the EVM address of the key that created an ECDSA signature; null for an invalid signature. */
function recoverAddress(signature: Uint8Array, hash: Uint8Array, recovery: number): string | null {
  const recoverable = Uint8Array.of(recovery, ...signature);
  return decode(() => toEvmAddress(ECDSA.recoverPublicKey(recoverable, hash, { prehash: false })));
}

/** Names of the algorithms in a JWS (RFC 8037, RFC 8812, RFC 7518), with their curves. */
const JWS_CURVES = new Map<string | null, SigningKey['curve']>([
  ['EdDSA', 'Ed25519'],
  ['Ed25519', 'Ed25519'],
  ['ES256', 'P-256'],
  ['ES256K', 'secp256k1'],
]);

/** Parses a JWS in compact serialization (RFC 7515). */
function parseJws(jws: string): ParsedOffer | null {
  const parts = jws.split('.');
  const [header, payload, signature] = parts.map((part) => decode(() => base64urlnopad.decode(part)));
  if (parts.length !== 3 || !header || !payload || signature?.length !== 64) return null;
  const fields = parseJson(new TextDecoder().decode(header));
  const kid = readText(fields, 'kid');
  const curve = JWS_CURVES.get(readText(fields, 'alg'));
  // RFC 7515, section 4.1.11: a verifier that does not know a critical extension rejects the signature.
  if (kid === null || curve === undefined || readMember(fields, 'crit') !== undefined) return null;
  const jwk = readMember(fields, 'jwk');
  const stated = jwk === undefined ? null : readJwk('', jwk);
  const bytes = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf('.')));
  return {
    payload: parseJson(new TextDecoder().decode(payload)),
    signer: kid,
    isSignedBy: async (key) =>
      key.curve === curve &&
      // Section 4.5 of the extension: a key in the header must be the key of the signer.
      (jwk === undefined || (stated !== null && isSameKey(key, stated))) &&
      verify(key, bytes, signature),
  };
}

function isSameKey(left: SigningKey, right: SigningKey): boolean {
  const toText = (key: SigningKey): string => {
    if (key.curve === 'secp256k1') return key.address;
    return hex.encode(key.curve === 'P-256' ? p256.Point.fromBytes(key.bytes).toBytes() : key.bytes);
  };
  return left.curve === right.curve && decode(() => toText(left) === toText(right)) === true;
}

async function verify(key: SigningKey, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (key.curve === 'secp256k1')
    return [0, 1].some((recovery) => recoverAddress(signature, sha256(bytes), recovery) === key.address);
  if (key.curve === 'P-256') return decode(() => p256.verify(signature, sha256(bytes), key.bytes)) === true;
  try {
    const { subtle } = globalThis.crypto;
    const publicKey = await subtle.importKey('raw', Uint8Array.from(key.bytes), key.curve, false, ['verify']);
    return await subtle.verify(key.curve, publicKey, Uint8Array.from(signature), Uint8Array.from(bytes));
  } catch {
    return false;
  }
}
