import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';
const KEY_BYTES = 32;
/** Base64url of 32 bytes without padding. */
const KEY_FORMAT = /^[A-Za-z0-9_-]{43}$/;
/** Length of a key id in characters. A key id is the beginning of the hash of the key. */
const KEY_ID_LENGTH = 16;

/** Encryption of stored secrets. Every method rejects with an `Error` that contains no secret. */
export interface Cipher {
  /** Returns a JWE in compact serialization (RFC 7516). */
  readonly encrypt: (text: string) => Promise<string>;
  /** Returns the decrypted text. Rejects if the JWE was changed, or if no configured key has the key id of the JWE. */
  readonly decrypt: (jwe: string) => Promise<string>;
}

/**
 * Splits the text of the setting WATCH_ENCRYPTION_KEYS into keys: base64url of 32 bytes each, separated by spaces.
 *
 * @returns an empty list for an empty text. `createCipher` checks the keys.
 */
export function parseWatchKeys(text: string): readonly string[] {
  return text.split(/\s+/).filter((key) => key !== '');
}

/**
 * Creates a cipher with A256GCM. The first key encrypts, and every key decrypts. So a new key is put first. An old key
 * stays in the list as long as a watch that was created with this key exists.
 *
 * @param keys base64url of 32 bytes each, at least one
 * @throws TypeError when there is no key, or when a key is malformed. The message contains no key.
 */
export function createCipher(keys: readonly string[]): Cipher {
  const byId = new Map(keys.map((key, index) => decodeKey(key, index)));
  const [first] = byId;
  if (first === undefined)
    throw new TypeError('WATCH_ENCRYPTION_KEYS must have at least one key; it has none.');
  const [kid, encryptionKey] = first;
  return {
    encrypt: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid })
        .encrypt(encryptionKey),
    decrypt: async (jwe) => {
      const { plaintext } = await compactDecrypt(
        jwe,
        ({ kid: usedId }) => {
          const key = byId.get(usedId ?? '');
          if (key === undefined)
            throw new TypeError(`WATCH_ENCRYPTION_KEYS does not have the key with the id ${toText(usedId)}.`);
          return key;
        },
        { keyManagementAlgorithms: [ALGORITHM], contentEncryptionAlgorithms: [ENCRYPTION] },
      );
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plaintext);
    },
  };
}

/** Limits an untrusted key id to the characters and the length of our key ids. */
function toText(keyId: unknown): string {
  return typeof keyId === 'string' && /^[0-9a-f]{1,16}$/.test(keyId) ? keyId : '(unreadable)';
}

function decodeKey(key: string, index: number): readonly [kid: string, bytes: Uint8Array] {
  const bytes = Buffer.from(key, 'base64url');
  // The second comparison excludes texts whose last character has unused bits. Such a text would be a second spelling
  // of a key.
  if (!KEY_FORMAT.test(key) || bytes.length !== KEY_BYTES || bytes.toString('base64url') !== key)
    throw new TypeError(
      `Key ${index + 1} of WATCH_ENCRYPTION_KEYS must be base64url of 32 bytes (43 characters); it has ${key.length} characters.`,
    );
  return [createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_LENGTH), bytes];
}
