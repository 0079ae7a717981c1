import { createHash, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';

const SECRET_BYTES = 32;
const ID_BYTES = 16;

/** Public values that follow from the secret of a claim. None of them shows the secret. */
export interface ClaimIdentity {
  /** Claim id: `c_` and 26 characters. Whoever knows the secret of this id owns the claim. */
  readonly id: string;
  /** Base64url of SHA-256 of the secret, for the verification file of the reference service. */
  readonly proofKey: string;
}

/** Creates the bearer secret of a claim: `csk_` and base64url of 32 random bytes of the operating system. */
export function createClaimSecret(): string {
  return `csk_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/**
 * Derives the identity of a claim from its secret. The id is a hash of the secret, so a secret is verified without any
 * stored value.
 */
export function toClaimIdentity(secret: string): ClaimIdentity {
  const id = hash(`claim ${secret}`).subarray(0, ID_BYTES);
  return {
    id: `c_${base32nopad.encode(id).toLowerCase()}`,
    proofKey: hash(secret).toString('base64url'),
  };
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
