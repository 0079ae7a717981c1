import { base64urlnopad } from '@scure/base';
import type { Subtle } from './web-crypto.ts';

/**
 * JWK thumbprint of an Ed25519 key: base64url of SHA-256 over its required members in order (RFC 7638, section 3; for
 * this kind of key RFC 8037, section 2).
 *
 * @param x the public key, base64url
 */
export async function thumbprintOf(x: string, subtle: Subtle): Promise<string> {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return base64urlnopad.encode(
    new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(members))),
  );
}
