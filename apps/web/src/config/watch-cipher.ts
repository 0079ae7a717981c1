import { createCipher, parseWatchKeys, type Cipher } from '@touchstone/watch';
import { getConfig } from './config.ts';

let cipher: Cipher | null | undefined;

/**
 * Returns the cipher of the secrets of watches; null if no key is configured. The keys are read once per process.
 *
 * @throws TypeError if a key is invalid; its text contains no key. The server checks the keys at start.
 */
export function getWatchCipher(): Cipher | null {
  if (cipher === undefined) {
    const keys = parseWatchKeys(getConfig().watchEncryptionKeys ?? '');
    cipher = keys.length === 0 ? null : createCipher(keys);
  }
  return cipher;
}
