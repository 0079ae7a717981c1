import { z } from 'zod';
import { link, time } from '../../shared/scalars.ts';
import { createPayload, DOCUMENT, FREE_GET, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';

/** 32 bytes as base64url without padding (RFC 7515, section 2). The last character carries only four bits. */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);

/** 64 bytes as base64url without padding. The last character carries only two bits. */
const bytes64 = z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/);

/**
 * Creates the schema of a signature.
 *
 * @param document name of the signed document in the descriptions, such as `report`
 */
export function createSignatureSchema(document: string) {
  return z.strictObject({
    algorithm: z.literal('Ed25519').describe('The signature algorithm of RFC 8032.'),
    keyId: bytes32.describe('JWK thumbprint (RFC 7638, SHA-256) of the key; its `kid` in the key set.'),
    keys: link.describe(
      `URL of the key set, according to the signer. A forged ${document} names its own URL: trust it only when it belongs to the service that you requested the ${document} from.`,
    ),
    value: bytes64.describe(
      `Signature of the canonical JSON (RFC 8785) of the ${document} without its \`signature\`, in base64url.`,
    ),
  });
}

export const signatureSchema = createSignatureSchema('report');

export type Signature = z.infer<typeof signatureSchema>;

export const KEY_SET_PATH = '/.well-known/touchstone-keys.json';

/** Public Ed25519 key as a JWK (RFC 8037; `alg` by RFC 9864). */
export const publicKeySchema = z.strictObject({
  kty: z.literal('OKP').describe('Key type.'),
  crv: z.literal('Ed25519').describe('Curve.'),
  x: bytes32.describe('Public key.'),
  kid: bytes32.describe('JWK thumbprint (RFC 7638, SHA-256) of the key.'),
  alg: z.literal('Ed25519').describe('Only permitted algorithm (RFC 9864).'),
  use: z.literal('sig').describe('Purpose of the key: signatures.'),
  validFrom: time
    .nullable()
    .describe('Start of its use: earlier reports are not signed with it; null when unlimited.'),
  retiredAt: time
    .nullable()
    .describe('Time from which the key signs no more reports; null while the key is in use.'),
});

/**
 * Keys that verify signed reports, at `/.well-known/touchstone-keys.json`. The current key is first, then earlier keys.
 */
export const keySetSchema = z.strictObject({
  keys: z
    .array(publicKeySchema.describe('One key.'))
    .min(1)
    .max(100)
    .describe('Keys, the current one first.'),
});

export type PublicKey = z.infer<typeof publicKeySchema>;
export type KeySet = z.infer<typeof keySetSchema>;

/**
 * Key set with the public key that verifies the example of a trust report. The key is from RFC 8032, section 7.1, test
 * 1.
 */
const KEY_SET_EXAMPLE: KeySet = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'Ed25519',
      use: 'sig',
      validFrom: null,
      retiredAt: null,
    },
  ],
};

export const KEY_SET_SCHEMAS = {
  'key-set': {
    title: 'Key set',
    description: 'Public keys of report signatures.',
    component: 'KeySet',
    schema: keySetSchema,
    example: KEY_SET_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

export const keySetOperation: Operation = {
  ...FREE_GET,
  id: 'getKeySet',
  path: KEY_SET_PATH,
  summary: 'Public keys of report signatures',
  description:
    'The public Ed25519 keys of report signatures. The response is 404 when this service does not sign reports.',
  tags: ['reference'],
  response: createPayload(KEY_SET_SCHEMAS, 'key-set'),
  isCacheableDocument: true,
  problems: ['unknown-resource', ...DOCUMENT],
};
