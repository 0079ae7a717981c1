import { base64urlnopad } from '@scure/base';
import type { Signature } from '@touchstone/contract';
import type { SigningKey } from './read-signing-keys.ts';
import { toSignedBytes } from './signed-bytes.ts';
import { ED25519 } from './web-crypto.ts';

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
