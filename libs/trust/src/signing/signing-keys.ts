import { base64urlnopad } from '@scure/base';
import { KEY_SET_PATH, publicKeySchema, type KeySet, type PublicKey } from '@touchstone/contract';
import { z } from 'zod';

/**
 * Functions of `crypto.subtle` that signing needs, in browsers and in Node. Callers pass them as an argument, because
 * this package uses no platform globals.
 */
export type Subtle = Pick<InstanceType<typeof SubtleCrypto>, 'digest' | 'importKey' | 'sign' | 'verify'>;

/** Name of the signature algorithm in WebCrypto, in report signatures and in JOSE (RFC 9864). */
export const ED25519 = 'Ed25519';

/** Error for an invalid configured signing key. The message explains the expected format and never contains the key. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
  constructor(problem: string) {
    super(
      `${problem}. Set an Ed25519 private key as a JWK with kty, crv, x and d. Or set { "keys": [...] } with that key ` +
        'first and earlier keys after it; earlier keys may be public.',
    );
  }
}

/** Key that signs reports. */
export interface SigningKey {
  readonly keyId: string;
  /** URL at which the public key is published. */
  readonly keysUrl: string;
  /** Returns the 64-byte Ed25519 signature (RFC 8032) of the given bytes. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

export interface SigningKeys {
  readonly signing: SigningKey;
  /** Content of `/.well-known/touchstone-keys.json`, with public keys only. */
  readonly published: KeySet;
}

const { kty, crv, x, validFrom, retiredAt } = publicKeySchema.shape;
// Key generators add members such as key_ops, ext and alg. Signing does not need these members, so they are ignored.
const ownKey = z.object({
  kty,
  crv,
  x,
  d: x.optional(),
  validFrom: validFrom.optional(),
  retiredAt: retiredAt.optional(),
});
const setting = z.union([
  z.object({ keys: z.array(ownKey).min(1).max(100) }),
  ownKey.transform((key) => ({ keys: [key] })),
]);
type OwnKey = z.infer<typeof ownKey>;

/**
 * Parses the operator's signing keys. The first key signs reports; all keys are published for verification. To rotate
 * keys, put the new key first and keep the old key after it, with `retiredAt` and without the private member `d`.
 *
 * @param text JSON: a private Ed25519 JWK, or a JWK set with a private first key
 * @param options `baseUrl` is the URL of the service that publishes the keys
 * @throws SigningKeyError if the text has another form; the message contains no secret
 */
export async function readSigningKeys(
  text: string,
  { baseUrl, subtle }: { readonly baseUrl: string; readonly subtle: Subtle },
): Promise<SigningKeys> {
  const { keys } = parseSetting(text);
  const published = await Promise.all(keys.map((key) => toPublicKey(key, subtle)));
  const [own] = keys;
  const [first] = published;
  if (own === undefined || first === undefined) throw new SigningKeyError('The signing key set is empty');
  if (first.retiredAt !== null)
    throw new SigningKeyError('The first signing key is retired, so it cannot sign');
  return {
    signing: {
      keyId: first.kid,
      keysUrl: new URL(KEY_SET_PATH, baseUrl).href,
      sign: await createSigner(own, subtle),
    },
    published: { keys: published },
  };
}

function parseSetting(text: string): z.infer<typeof setting> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SigningKeyError('The signing key is not JSON');
  }
  const parsed = setting.safeParse(json);
  if (!parsed.success)
    throw new SigningKeyError('The signing key is neither an Ed25519 JWK nor a set of them');
  return parsed.data;
}

/** Copies each public member explicitly, so that no secret member is ever published. */
async function toPublicKey(key: OwnKey, subtle: Subtle): Promise<PublicKey> {
  return {
    kty: key.kty,
    crv: key.crv,
    x: key.x,
    kid: await computeThumbprint(key.x, subtle),
    alg: ED25519,
    use: 'sig',
    validFrom: key.validFrom ?? null,
    retiredAt: key.retiredAt ?? null,
  };
}

async function createSigner({ kty, crv, x, d }: OwnKey, subtle: Subtle): Promise<SigningKey['sign']> {
  if (d === undefined) throw new SigningKeyError('The first signing key has no private part d');
  const mismatch = new SigningKeyError(
    'The public part x and the private part d of the first signing key do not match',
  );
  try {
    const key = await subtle.importKey('jwk', { kty, crv, x, d }, ED25519, false, ['sign']);
    const sign: SigningKey['sign'] = async (bytes) => new Uint8Array(await subtle.sign(ED25519, key, bytes));
    // Some implementations accept a key whose public part x does not match its private part d. Signing and verifying a
    // test message detects this early.
    const testMessage = Uint8Array.of(1);
    const publicKey = await importPublicKey(x, subtle);
    if (await subtle.verify(ED25519, publicKey, Uint8Array.from(await sign(testMessage)), testMessage))
      return sign;
  } catch {
    throw mismatch;
  }
  throw mismatch;
}

/**
 * Imports a public key for verification.
 *
 * @param x public key, base64url
 */
export async function importPublicKey(x: string, subtle: Subtle): ReturnType<Subtle['importKey']> {
  return subtle.importKey('raw', Uint8Array.from(base64urlnopad.decode(x)), ED25519, false, ['verify']);
}

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
