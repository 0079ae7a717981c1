import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { getConfig, getSiteOrigin, type Config, type Environment, readConfig } from './config.ts';
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
async function readConfiguredKeys(
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
function createConfiguredCipher({
  watchEncryptionKeys = '',
}: Pick<Config, 'watchEncryptionKeys'>): Cipher | null {
  const keys = parseWatchKeys(watchEncryptionKeys);
  return keys.length === 0 ? null : createCipher(keys);
}

/** Exits the process if the configuration is invalid, and prints one line that names the variable and the reason. */
export async function requireConfig(): Promise<void> {
  const problem = await findConfigProblem(process.env);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** Returns one line that names the first invalid variable and the reason; null if the configuration is valid. */
export async function findConfigProblem(environment: Environment): Promise<string | null> {
  const result = readConfig(environment);
  if (!result.ok) return result.problem;
  try {
    await readConfiguredKeys(result.config, environment);
  } catch (error) {
    return `Cannot start: REPORT_SIGNING_KEYS: ${toMessage(error)}`;
  }
  try {
    createConfiguredCipher(result.config);
    return null;
  } catch (error) {
    return `Cannot start: ${toMessage(error)}`;
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
