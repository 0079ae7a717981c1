import { base64urlnopad } from '@scure/base';
import type { TrustReport } from '@touchstone/contract';
import type { SigningKey } from './read-signing-keys.ts';
import { toSignedBytes } from './signed-bytes.ts';
import { ED25519 } from './web-crypto.ts';

/**
 * Signs a report with Ed25519 (RFC 8032) over its canonical JSON (RFC 8785) without the `signature` member. An existing
 * signature is replaced.
 *
 * @throws TypeError if the report has no canonical form; reports from `assembleReport` always have one
 */
export async function signReport(report: TrustReport, key: SigningKey): Promise<TrustReport> {
  const bytes = toSignedBytes(report);
  if (bytes === null) throw new TypeError('The report has no canonical JSON form (RFC 8785).');
  const value = base64urlnopad.encode(await key.sign(bytes));
  return { ...report, signature: { algorithm: ED25519, keyId: key.keyId, keys: key.keysUrl, value } };
}
