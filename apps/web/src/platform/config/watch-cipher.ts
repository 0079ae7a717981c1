import { createCipher, parseWatchKeys, type Cipher } from '@touchstone/watch';
import { getConfig, type Config } from './config.ts';

let cipher: Cipher | null | undefined;

/**
 * Returns the cipher of the secrets of watches; null if no key is configured. The keys are read once per process.
 *
 * @throws TypeError if a key is invalid; its text contains no key. The server checks the keys at start.
 */
export function getWatchCipher(): Cipher | null {
  if (cipher === undefined) cipher = createConfiguredCipher(getConfig());
  return cipher;
}

/**
 * Creates the cipher of a configuration; null if it has no keys.
 *
 * @throws TypeError if a key is invalid; its text contains no key
 */
export function createConfiguredCipher({
  watchEncryptionKeys = '',
}: Pick<Config, 'watchEncryptionKeys'>): Cipher | null {
  const keys = parseWatchKeys(watchEncryptionKeys);
  return keys.length === 0 ? null : createCipher(keys);
}
