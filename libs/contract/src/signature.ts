import { z } from 'zod';
import { link, time } from './scalars.ts';

/** 32 bytes as base64url without padding (RFC 7515, section 2), the last of whose digits carries four bits. */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);

/** 64 bytes as base64url without padding. */
const bytes64 = z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/);

export const signatureSchema = z.strictObject({
  algorithm: z.literal('Ed25519').describe('The signature algorithm of RFC 8032.'),
  keyId: bytes32.describe('JWK thumbprint (RFC 7638, SHA-256) of the key, which is its kid in the key set.'),
  keys: link.describe(
    'Where the signer says its keys are. A forger writes an address of their own here: trust it only where it belongs to the service you asked.',
  ),
  value: bytes64.describe(
    'Signature over the canonical JSON (RFC 8785) of the report without its signature member, base64url.',
  ),
});

/** A public Ed25519 key as a JWK (RFC 8037; `alg` by RFC 9864). */
export const publicKeySchema = z.strictObject({
  kty: z.literal('OKP').describe('Key type.'),
  crv: z.literal('Ed25519').describe('Curve.'),
  x: bytes32.describe('The public key.'),
  kid: bytes32.describe('JWK thumbprint (RFC 7638, SHA-256) of the key.'),
  alg: z.literal('Ed25519').describe('The only algorithm it is for (RFC 9864).'),
  use: z.literal('sig').describe('It signs.'),
  validFrom: time.nullable().describe('It signs nothing made before; null where that is open.'),
  retiredAt: time.nullable().describe('It signs nothing made after; null while it is in use.'),
});

/** The key set at `/.well-known/touchstone-keys.json`: the key that signs now first, then earlier ones. */
export const keySetSchema = z.strictObject({
  keys: z
    .array(publicKeySchema.describe('One key.'))
    .min(1)
    .max(100)
    .describe('The keys, the present one first.'),
});

export type Signature = z.infer<typeof signatureSchema>;
export type PublicKey = z.infer<typeof publicKeySchema>;
export type KeySet = z.infer<typeof keySetSchema>;

/** Where a service publishes its key set, below its base address. */
export const KEY_SET_PATH = '/.well-known/touchstone-keys.json';
