import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { getConfig, getSiteOrigin } from './config.ts';

let keys: Promise<SigningKeys | null> | undefined;

/**
 * The keys that reports are signed with; null where none are set. Read once in a process.
 *
 * @throws SigningKeyError when what is set is none; a server that started has no such thing
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
