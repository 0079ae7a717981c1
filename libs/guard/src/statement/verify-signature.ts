import canonicalize from 'canonicalize';
import type { LookupFailure } from '../decision/decide.ts';
import { readMember, readText, type JsonObject } from '../json.ts';
import type { PublicKeyJwk } from './keys.ts';

const ED25519 = 'Ed25519';
/** 64 bytes as base64url without padding. The last character carries only two bits. */
const BYTES_64 = /^[A-Za-z0-9_-]{85}[AQgw]$/;

/**
 * Verifies the signature of a document: Ed25519 (RFC 8032) over its canonical JSON (RFC 8785) without the member
 * `signature`. The key must be one of the given keys, and in use at `generatedAt`.
 *
 * @returns null for a valid signature
 */
export async function verifySignature(
  document: JsonObject,
  keys: readonly PublicKeyJwk[],
): Promise<LookupFailure | null> {
  const signature = readMember(document, 'signature');
  const value = readText(signature, 'value') ?? '';
  const key = keys.find(({ kid }) => kid === readText(signature, 'keyId'));
  if (readText(signature, 'algorithm') !== ED25519 || !BYTES_64.test(value)) {
    return fail('The statement is not signed.');
  }
  if (key === undefined) return fail('The statement is not signed with a pinned key.');
  if (!isInUse(key, Date.parse(readText(document, 'generatedAt') ?? ''))) {
    return fail('The statement is signed with a key that was not in use at that time.');
  }
  const bytes = toSignedBytes(document);
  if (bytes === null) return fail('The statement has no canonical form.');
  return isSigned(key, { bytes, value });
}

function fail(message: string): LookupFailure {
  return { code: 'invalid-signature', message };
}

/** Returns true if a time (milliseconds since 1970) lies in the period in which a key was in use. */
function isInUse({ validFrom, retiredAt }: PublicKeyJwk, at: number): boolean {
  return (
    !Number.isNaN(at) &&
    (typeof validFrom !== 'string' || at >= Date.parse(validFrom)) &&
    (typeof retiredAt !== 'string' || at <= Date.parse(retiredAt))
  );
}

function toSignedBytes(document: JsonObject): Uint8Array<ArrayBuffer> | null {
  const unsigned = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'signature'));
  try {
    const json = canonicalize(unsigned);
    return json === undefined ? null : new TextEncoder().encode(json);
  } catch {
    return null;
  }
}

async function isSigned(
  { x }: PublicKeyJwk,
  { bytes, value }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly value: string },
): Promise<LookupFailure | null> {
  try {
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', decodeBase64Url(x), ED25519, false, ['verify']);
    const isValid = await subtle.verify(ED25519, key, decodeBase64Url(value), bytes);
    return isValid ? null : fail('The signature of the statement is not valid.');
  } catch {
    return fail('The signature could not be verified. Ed25519 in WebCrypto is required.');
  }
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
