import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { HTTPFacilitatorClient, type FacilitatorClient, type FacilitatorConfig } from '@x402/core/server';
import { SignJWT } from 'jose';

/** An API key of the Coinbase Developer Platform. */
export interface CdpKey {
  readonly keyId: string;
  /** Private key in the format of the platform: base64 of an Ed25519 seed and public key, or a P-256 key in PEM. */
  readonly keySecret: string;
}

const LIFETIME_SECONDS = 120;
const OPERATIONS = { verify: 'POST', settle: 'POST', supported: 'GET' } as const;

function readKey(secret: string): KeyObject {
  const pem = secret.replaceAll('\\n', '\n').trim();
  if (pem.startsWith('-----BEGIN')) return createPrivateKey(pem);
  const bytes = Buffer.from(pem, 'base64');
  if (bytes.length !== 64) throw new Error('the key is neither PEM nor base64 of 64 bytes');
  const d = bytes.toString('base64url', 0, 32);
  const x = bytes.toString('base64url', 32);
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}

function openKey(secret: string): { readonly key: KeyObject; readonly alg: 'EdDSA' | 'ES256' } {
  try {
    const key = readKey(secret);
    if (key.asymmetricKeyType === 'ed25519') return { key, alg: 'EdDSA' };
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { key, alg: 'ES256' };
  } catch {
    // The original error is dropped, because its message could contain the key.
  }
  throw new Error('the secret of the CDP key is neither an Ed25519 nor a P-256 key');
}

/**
 * Returns a function that creates the authentication headers for the facilitator of the Coinbase Developer Platform.
 * Each path gets its own token, which is valid for two minutes. Source: docs.cdp.coinbase.com, JWT authentication.
 * @throws Error when the key cannot be read
 */
export function createCdpHeaders(
  { keyId, keySecret }: CdpKey,
  url: string,
): NonNullable<FacilitatorConfig['createAuthHeaders']> {
  const { key, alg } = openKey(keySecret);
  const { host, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const createHeaders = async (operation: keyof typeof OPERATIONS): Promise<Record<string, string>> => {
    const now = Math.floor(Date.now() / 1_000);
    const uri = `${OPERATIONS[operation]} ${host}${base}/${operation}`;
    const token = await new SignJWT({ uris: [uri] })
      .setProtectedHeader({ alg, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') })
      .setSubject(keyId)
      .setIssuer('cdp')
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(key);
    return { Authorization: `Bearer ${token}` };
  };
  return async () => ({
    verify: await createHeaders('verify'),
    settle: await createHeaders('settle'),
    supported: await createHeaders('supported'),
  });
}

export interface FacilitatorOptions {
  /** Base URL of the facilitator; `/verify` and `/settle` are appended. */
  readonly url: string;
  /** API key for the facilitator of the Coinbase Developer Platform. Most other facilitators need no key. */
  readonly auth?: CdpKey;
  /** Timeouts in milliseconds; default 5,000 for a verification and 30,000 for a settlement. */
  readonly timeouts?: { readonly verifyMs: number; readonly settleMs: number };
}

/**
 * Creates an HTTP client of a facilitator (x402 version 2, section 7) without sending a request.
 * @throws Error when the key cannot be read
 */
export function createFacilitator({ url, auth, timeouts }: FacilitatorOptions): FacilitatorClient {
  const { verifyMs, settleMs } = timeouts ?? { verifyMs: 5_000, settleMs: 30_000 };
  const authentication = auth === undefined ? {} : { createAuthHeaders: createCdpHeaders(auth, url) };
  const verifier = new HTTPFacilitatorClient({ url, timeoutMs: verifyMs, ...authentication });
  const settler = new HTTPFacilitatorClient({ url, timeoutMs: settleMs, ...authentication });
  return {
    verify: (payload, requirements) => verifier.verify(payload, requirements),
    settle: (payload, requirements) => settler.settle(payload, requirements),
    getSupported: () => verifier.getSupported(),
  };
}
