/** Public Ed25519 key as a JWK (RFC 8037), as published by a service. */
export interface PublicKeyJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** Public key, 32 bytes as base64url. */
  readonly x: string;
  /** Id of the key in signatures: its JWK thumbprint. */
  readonly kid: string;
  /** Start of its use, ISO 8601; null or undefined when unlimited. */
  readonly validFrom?: string | null;
  /** End of its use, ISO 8601; null or undefined while the key is in use. */
  readonly retiredAt?: string | null;
}

/**
 * Fetches the public keys of a service, for the setup. Store the result with your program and pass it to `createGuard`.
 * Keys that are fetched anew for each payment protect against nothing that TLS does not already protect against.
 *
 * @param service URL of the service: https, or http on this machine
 * @throws Error if the service is unreachable or returns no valid key set
 */
export async function fetchKeys(
  service: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<readonly PublicKeyJwk[]> {
  await fetch(service);
  throw new Error('Not implemented.');
}
