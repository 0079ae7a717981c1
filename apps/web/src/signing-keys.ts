import { readSigningKeys, type SigningKeys } from '@touchstone/trust';
import { config, siteOrigin } from './config.ts';

let keys: Promise<SigningKeys | null> | undefined;

/**
 * The keys that reports are signed with; null where none are set. Read once in a process.
 *
 * @throws SigningKeyError when what is set is none; a server that started has no such thing
 */
export function signingKeys(): Promise<SigningKeys | null> {
  keys ??= read();
  return keys;
}

async function read(): Promise<SigningKeys | null> {
  const { reportSigningKeys } = config();
  if (reportSigningKeys === undefined) return null;
  return readSigningKeys(reportSigningKeys, {
    baseUrl: siteOrigin(process.env),
    subtle: globalThis.crypto.subtle,
  });
}
