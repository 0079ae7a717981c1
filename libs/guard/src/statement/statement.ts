import { isJsonObject } from '@touchstone/common';
import canonicalize from 'canonicalize';
import type { PublicKeyJwk } from './keys.ts';
import { readTime } from './summary.ts';
import { readMember, readText } from '@touchstone/x402/json';

/** Maximum difference between the clocks of this machine and the service, in milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 300_000;

/** Reason why Touchstone's signed statement is missing or not usable. */
export interface LookupFailure {
  readonly code:
    | 'invalid-payment'
    | 'not-accepted'
    | 'unreachable'
    | 'invalid-signature'
    | 'wrong-statement'
    | 'stale-statement';
  readonly message: string;
}

export interface StatementRules {
  /** Required value of the member `schemaType`. */
  readonly schemaType: string;
  readonly keys: readonly PublicKeyJwk[];
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Maximum age of the document, in milliseconds. The permitted difference between the clocks is added. */
  readonly maxAgeMs: number;
}

/** Verified document and the end of its use, in milliseconds since 1970. */
export interface Statement {
  readonly document: object;
  readonly usableUntil: number;
}

/**
 * Verifies a document of the service: its signature, type, and age. The signature is verified first. So only the
 * service can cause a failure of a later check, and not an attacker.
 */
export async function verifyStatement(
  value: unknown,
  { schemaType, keys, now, maxAgeMs }: StatementRules,
): Promise<Statement | LookupFailure> {
  const document = value;
  if (!isJsonObject(document)) return { code: 'unreachable', message: 'The response is not a JSON object.' };
  const failure = await verifySignature(document, keys);
  if (failure !== null) return failure;
  if (readText(document, 'schemaType') !== schemaType) {
    return { code: 'wrong-statement', message: `The signed document is not of the type ${schemaType}.` };
  }
  const generatedAt = Date.parse(readTime(document, 'generatedAt') ?? '');
  const usableUntil = generatedAt + maxAgeMs + MAX_CLOCK_DIFFERENCE_MS;
  if (!(now <= usableUntil && generatedAt <= now + MAX_CLOCK_DIFFERENCE_MS)) {
    const message = 'The statement is too old, or dated in the future. Check the clock of this machine.';
    return { code: 'stale-statement', message };
  }
  return { document, usableUntil };
}

const ED25519 = 'Ed25519';
/** 64 bytes as base64url without padding. The last character carries only two bits. */
const BYTES_64 = /^[A-Za-z0-9_-]{85}[AQgw]$/;

/**
 * Verifies the signature of a document: Ed25519 (RFC 8032) over its canonical JSON (RFC 8785) without the member
 * `signature`. The key must be one of the given keys, and in use at `generatedAt`.
 *
 * @returns null for a valid signature
 */
async function verifySignature(
  document: object,
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

/** Returns true if a key was in use at a time, in milliseconds since 1970. */
function isInUse({ validFrom, retiredAt }: PublicKeyJwk, at: number): boolean {
  return (
    !Number.isNaN(at) &&
    (typeof validFrom !== 'string' || at >= Date.parse(validFrom)) &&
    (typeof retiredAt !== 'string' || at <= Date.parse(retiredAt))
  );
}

function toSignedBytes(document: object): Uint8Array<ArrayBuffer> | null {
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
