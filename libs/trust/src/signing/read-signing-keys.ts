import { base64urlnopad } from '@scure/base';
import { KEY_SET_PATH, publicKeySchema, type KeySet, type PublicKey } from '@touchstone/contract';
import { z } from 'zod';
import { ED25519, type Subtle } from './web-crypto.ts';
import { thumbprintOf } from './thumbprint.ts';

/** What was set as signing key is none. The message says what to set, and nothing of what was. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
  constructor(what: string) {
    super(
      `${what}. Set an Ed25519 private key as a JWK with kty, crv, x and d, or { "keys": [...] } with that key ` +
        'first and earlier ones, which may be public, behind it.',
    );
  }
}

/** The key that signs reports. */
export interface SigningKey {
  readonly keyId: string;
  /** Where its public half is published. */
  readonly keysUrl: string;
  /** 64 bytes of Ed25519 (RFC 8032) over the given ones. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

export interface SigningKeys {
  readonly signing: SigningKey;
  /** What `/.well-known/touchstone-keys.json` answers; public halves only. */
  readonly published: KeySet;
}

const { kty, crv, x, validFrom, retiredAt } = publicKeySchema.shape;
// Tools write key_ops, ext, alg and more beside these, which say nothing new.
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
 * Reads the operator's signing keys. To rotate, a new key is put first and the old one stays behind it, with
 * `retiredAt` and without `d`: the first signs, all verify.
 *
 * @param text JSON: a private Ed25519 JWK, or a JWK set whose first key is one
 * @param options `baseUrl` is the address of the service that publishes the keys
 * @throws SigningKeyError that never repeats a secret
 */
export async function readSigningKeys(
  text: string,
  { baseUrl, subtle }: { readonly baseUrl: string; readonly subtle: Subtle },
): Promise<SigningKeys> {
  const { keys } = parseSetting(text);
  const published = await Promise.all(keys.map((key) => publicKeyOf(key, subtle)));
  const [own] = keys;
  const [first] = published;
  if (own === undefined || first === undefined) throw new SigningKeyError('The signing key set is empty');
  if (first.retiredAt !== null) throw new SigningKeyError('The first signing key, which signs, is retired');
  return {
    signing: {
      keyId: first.kid,
      keysUrl: new URL(KEY_SET_PATH, baseUrl).href,
      sign: await signerOf(own, subtle),
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
  if (!parsed.success) throw new SigningKeyError('The signing key is no Ed25519 JWK and no set of them');
  return parsed.data;
}

/** Written member by member, so that nothing secret is ever published. */
async function publicKeyOf(key: OwnKey, subtle: Subtle): Promise<PublicKey> {
  return {
    kty: key.kty,
    crv: key.crv,
    x: key.x,
    kid: await thumbprintOf(key.x, subtle),
    alg: ED25519,
    use: 'sig',
    validFrom: key.validFrom ?? null,
    retiredAt: key.retiredAt ?? null,
  };
}

async function signerOf({ kty, crv, x, d }: OwnKey, subtle: Subtle): Promise<SigningKey['sign']> {
  if (d === undefined) throw new SigningKeyError('The first signing key has no private half');
  const mismatch = new SigningKeyError('The halves x and d of the first signing key do not belong together');
  try {
    const key = await subtle.importKey('jwk', { kty, crv, x, d }, ED25519, false, ['sign']);
    const sign: SigningKey['sign'] = async (bytes) => new Uint8Array(await subtle.sign(ED25519, key, bytes));
    // Some implementations take any x beside d; a signature that does not verify shows it before anything is signed.
    const trial = Uint8Array.of(1);
    const publicKey = await importPublicKey(x, subtle);
    if (await subtle.verify(ED25519, publicKey, Uint8Array.from(await sign(trial)), trial)) return sign;
  } catch {
    throw mismatch;
  }
  throw mismatch;
}

/** @param x the public key, base64url */
export async function importPublicKey(x: string, subtle: Subtle): ReturnType<Subtle['importKey']> {
  return subtle.importKey('raw', Uint8Array.from(base64urlnopad.decode(x)), ED25519, false, ['verify']);
}
