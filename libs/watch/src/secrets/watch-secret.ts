import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

/** Prefix of the bearer secret of a watch. */
const SECRET_PREFIX = 'wsk_';
const SECRET_BYTES = 32;
/** Prefix that Standard Webhooks requires before a base64 key. */
const WEBHOOK_SECRET_PREFIX = 'whsec_';
const WATCH_ID_PREFIX = 'w_';
const ID_BYTES = 16;

/** Identity and secrets of a new watch. `secret` and `webhookSecret` are shown once; `signingKey` is stored encrypted. */
export interface WatchSecret {
  /** Watch id: `w_` and 26 characters. */
  readonly id: string;
  /** Bearer secret of the owner: `wsk_` and base64url of 32 random bytes. */
  readonly secret: string;
  /** HMAC key of webhooks: the lowercase hex of SHA-256 of the secret. Its 64 ASCII characters are the key. */
  readonly signingKey: string;
  /** Hash by which requests are authenticated. The hash cannot sign messages. */
  readonly secretHash: string;
  /** The HMAC key in the format of Standard Webhooks libraries. */
  readonly webhookSecret: string;
}

/** Creates an id from random bytes of the operating system: the prefix, such as `w_`, and 26 base32 characters. */
export function createRandomId(prefix: string): string {
  return prefix + base32nopad.encode(randomBytes(ID_BYTES)).toLowerCase();
}

/** Creates the id and the secrets of a new watch from random bytes of the operating system. */
export function createWatchSecret(): WatchSecret {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const signingKey = hashHex(secret);
  return {
    id: createRandomId(WATCH_ID_PREFIX),
    secret,
    signingKey,
    secretHash: hashHex(signingKey),
    webhookSecret: toWebhookSecret(signingKey),
  };
}

/** Returns the hash by which the bearer secret of a watch is authenticated. */
export function toSecretHash(secret: string): string {
  return hashHex(hashHex(secret));
}

/**
 * Compares a bearer secret with the hash of a watch in constant time. Without a watch, the function does the same work,
 * so that the duration does not show if a watch exists.
 *
 * @param secretHash hash of the watch; null when the watch does not exist
 */
export function verifySecret(secret: string, secretHash: string | null): boolean {
  const presented = hashBytes(toSecretHash(secret));
  // Without a watch, the empty string replaces the hash. The comparison then always fails, because the hash of a secret
  // is never empty.
  const expected = hashBytes(secretHash ?? '');
  return timingSafeEqual(presented, expected);
}

/** Returns the HMAC key in the format of Standard Webhooks: `whsec_` and base64 of its ASCII characters. */
function toWebhookSecret(signingKey: string): string {
  return WEBHOOK_SECRET_PREFIX + Buffer.from(signingKey, 'ascii').toString('base64');
}

function hashHex(text: string): string {
  return hashBytes(text).toString('hex');
}

function hashBytes(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
