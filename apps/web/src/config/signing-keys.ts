import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { getConfig, getSiteOrigin } from './config.ts';

let keys: Promise<SigningKeys | null> | undefined;

/**
 * Returns the keys that sign reports; null if none are configured. The keys are read once per process.
 *
 * @throws SigningKeyError if the configured keys are invalid. The server checks the keys at start.
 */
export function getSigningKeys(): Promise<SigningKeys | null> {
  keys ??= readConfiguredKeys();
  return keys;
}

async function readConfiguredKeys(): Promise<SigningKeys | null> {
  const { reportSigningKeys } = getConfig();
  if (reportSigningKeys === undefined) return null;
  return readSigningKeys(reportSigningKeys, {
    baseUrl: getSiteOrigin(process.env),
    subtle: globalThis.crypto.subtle,
  });
}
