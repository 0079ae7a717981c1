import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { getConfig, getSiteOrigin, type Config, type Environment } from './config.ts';
import { createCipher, parseWatchKeys, type Cipher } from '@touchstone/watch';

let keys: Promise<SigningKeys | null> | undefined;

/**
 * Returns the keys that sign reports; null if no keys are configured. The keys are read only at the first call in a
 * process.
 *
 * @throws SigningKeyError if the configured keys are invalid. The server checks the keys at start.
 */
export function getSigningKeys(): Promise<SigningKeys | null> {
  keys ??= readConfiguredKeys(getConfig(), process.env);
  return keys;
}

/**
 * Reads the signing keys of a configuration; null if the configuration has no signing keys.
 *
 * @throws SigningKeyError if the keys are invalid
 */
export async function readConfiguredKeys(
  { reportSigningKeys }: Pick<Config, 'reportSigningKeys'>,
  environment: Environment,
): Promise<SigningKeys | null> {
  if (reportSigningKeys === undefined) return null;
  return readSigningKeys(reportSigningKeys, {
    baseUrl: getSiteOrigin(environment),
    subtle: globalThis.crypto.subtle,
  });
}

let cipher: Cipher | null | undefined;

/**
 * Returns the cipher for watch secrets; null if no key is configured. The keys are read only at the first call in a
 * process.
 *
 * @throws TypeError if a key is invalid. The error text contains no key. The server checks the keys at start.
 */
export function getWatchCipher(): Cipher | null {
  if (cipher === undefined) cipher = createConfiguredCipher(getConfig());
  return cipher;
}

/**
 * Creates the cipher for watch secrets; null if the configuration has no keys.
 *
 * @throws TypeError if a key is invalid; its text contains no key
 */
export function createConfiguredCipher({
  watchEncryptionKeys = '',
}: Pick<Config, 'watchEncryptionKeys'>): Cipher | null {
  const keys = parseWatchKeys(watchEncryptionKeys);
  return keys.length === 0 ? null : createCipher(keys);
}
