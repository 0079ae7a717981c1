import { z } from 'zod';
import { link } from './scalars.ts';

/** 32 bytes as base64url without padding (RFC 7515, section 2). The last character carries only four bits. */
export const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);

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
