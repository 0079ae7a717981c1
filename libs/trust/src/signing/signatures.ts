import { base64urlnopad } from '@scure/base';
import { type Signature, trustReportSchema, type KeySet, type PublicKey } from '@touchstone/contract';
import { type SigningKey, ED25519, importPublicKey, type Subtle } from './signing-keys.ts';
import canonicalize from 'canonicalize';

/** Document that this service signs, such as a report or a summary. */
export interface SignedDocument {
  readonly signature: Signature | null;
}

/**
 * Signs a document with Ed25519 (RFC 8032) over its canonical JSON (RFC 8785) without the `signature` member. An existing
 * signature is replaced.
 *
 * @throws TypeError if the document has no canonical form; reports and summaries of this service always have one
 */
export async function signDocument<T extends SignedDocument>(document: T, key: SigningKey): Promise<T> {
  const bytes = toSignedBytes(document);
  if (bytes === null) throw new TypeError('The document has no canonical JSON form (RFC 8785).');
  const value = base64urlnopad.encode(await key.sign(bytes));
  return { ...document, signature: { algorithm: ED25519, keyId: key.keyId, keys: key.keysUrl, value } };
}

export type SignatureCheck =
  | { readonly outcome: 'valid'; readonly key: PublicKey }
  | { readonly outcome: 'unsigned' }
  /** The signature names a key id that no given key has. */
  | { readonly outcome: 'unknown-key'; readonly keyId: string }
  /** The key is known, but the signature is not valid for this document. */
  | { readonly outcome: 'forged'; readonly key: PublicKey }
  /** The signature is valid, but `generatedAt` lies outside the period in which the key was in use. */
  | { readonly outcome: 'key-out-of-use'; readonly key: PublicKey; readonly generatedAt: string }
  /** The value lacks a readable signature or a readable `generatedAt`. */
  | { readonly outcome: 'no-report' };

const signedSchema = trustReportSchema.pick({ signature: true, generatedAt: true }).loose();

/**
 * Verifies the signature of a document, such as a report or a summary. The signature covers all members of the
 * document, including unknown members. The caller must obtain the keys from a trusted source: keys from a URL inside
 * the document prove nothing.
 *
 * @param document parsed JSON
 * @param keys keys of the service that is expected to have signed the document
 */
export async function verifySignature(
  document: unknown,
  keys: KeySet,
  subtle: Subtle,
): Promise<SignatureCheck> {
  const parsed = signedSchema.safeParse(document);
  if (!parsed.success || typeof document !== 'object' || document === null) return { outcome: 'no-report' };
  const { signature, generatedAt } = parsed.data;
  if (signature === null) return { outcome: 'unsigned' };
  const key = keys.keys.find(({ kid }) => kid === signature.keyId);
  if (key === undefined) return { outcome: 'unknown-key', keyId: signature.keyId };
  const bytes = toSignedBytes(document);
  if (bytes === null) return { outcome: 'forged', key };
  const signed = { bytes, signature: Uint8Array.from(base64urlnopad.decode(signature.value)) };
  if (!(await isSigned(key, signed, subtle))) return { outcome: 'forged', key };
  return isInUse(key, generatedAt)
    ? { outcome: 'valid', key }
    : { outcome: 'key-out-of-use', key, generatedAt };
}

/** Bytes of a document, and the signature of these bytes in the document. */
interface SignedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * Returns true if the signature is valid. Returns false for an invalid public key, which some implementations refuse to
 * import.
 */
async function isSigned(
  { x }: PublicKey,
  { bytes, signature }: SignedBytes,
  subtle: Subtle,
): Promise<boolean> {
  try {
    return await subtle.verify(ED25519, await importPublicKey(x, subtle), signature, bytes);
  } catch {
    return false;
  }
}

function isInUse({ validFrom, retiredAt }: PublicKey, generatedAt: string): boolean {
  const at = Date.parse(generatedAt);
  if (validFrom !== null && at < Date.parse(validFrom)) return false;
  return retiredAt === null || at <= Date.parse(retiredAt);
}

/**
 * Returns the signed bytes of a document: the UTF-8 bytes of its canonical JSON (RFC 8785) without the `signature` member.
 * Member order and whitespace of the JSON text therefore do not matter.
 *
 * @returns null if the document has no canonical form, for example because of a lone surrogate
 */
export function toSignedBytes(document: object): Uint8Array<ArrayBuffer> | null {
  const unsigned = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'signature'));
  try {
    const json = canonicalize(unsigned);
    return json === undefined ? null : new TextEncoder().encode(json);
  } catch {
    return null;
  }
}
