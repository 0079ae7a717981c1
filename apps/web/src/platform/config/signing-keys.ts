import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { getConfig, getSiteOrigin, type Config, type Environment } from './config.ts';

let keys: Promise<SigningKeys | null> | undefined;

/**
 * Returns the keys that sign reports; null if none are configured. The keys are read once per process.
 *
 * @throws SigningKeyError if the configured keys are invalid. The server checks the keys at start.
 */
export function getSigningKeys(): Promise<SigningKeys | null> {
  keys ??= readConfiguredKeys(getConfig(), process.env);
  return keys;
}

/**
 * Reads the keys of a configuration; null if it has none.
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
