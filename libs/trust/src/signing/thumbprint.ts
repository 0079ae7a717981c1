import { base64urlnopad } from '@scure/base';
import type { Subtle } from './web-crypto.ts';

/**
 * Computes the JWK thumbprint of an Ed25519 key: base64url of SHA-256 over its required members in lexicographic order
 * (RFC 7638, section 3; RFC 8037, section 2, for this key type).
 *
 * @param x public key, base64url
 */
export async function computeThumbprint(x: string, subtle: Subtle): Promise<string> {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return base64urlnopad.encode(
    new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(members))),
  );
}
