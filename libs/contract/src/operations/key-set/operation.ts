import { z } from 'zod';
import { time } from '../../shared/scalars.ts';
import { bytes32 } from '../../shared/signature.ts';
import { createPayload, DOCUMENT, FREE_GET, type Operation } from '../operation-model.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';

/** Path of the key set. */
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

/** Published schema of the key set, by name. */
export const KEY_SET_SCHEMAS = {
  'key-set': {
    title: 'Key set',
    description: 'Public keys of report signatures.',
    component: 'KeySet',
    schema: keySetSchema,
    io: 'output',
    example: KEY_SET_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

/** Free operation that returns the public keys of report signatures. */
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
