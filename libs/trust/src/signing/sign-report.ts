import { base64urlnopad } from '@scure/base';
import type { TrustReport } from '@touchstone/contract';
import type { SigningKey } from './read-signing-keys.ts';
import { signedBytes } from './signed-bytes.ts';
import { ED25519 } from './web-crypto.ts';

/**
 * A report with its signature: Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of the report without its
 * `signature` member. Signing a signed report replaces the signature.
 *
 * @throws TypeError on a report that has no canonical form, which `assembleReport` never makes
 */
export async function signReport(report: TrustReport, key: SigningKey): Promise<TrustReport> {
  const bytes = signedBytes(report);
  if (bytes === null) throw new TypeError('The report has no canonical form');
  const value = base64urlnopad.encode(await key.sign(bytes));
  return { ...report, signature: { algorithm: ED25519, keyId: key.keyId, keys: key.keysUrl, value } };
}
