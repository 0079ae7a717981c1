import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';

/**
 * The keys that this service signs its reports with, kept in its data folder and made at first: a JWK set whose first
 * key signs. To rotate, put a new private key before it.
 */
export function openSigningKeys({ path }: Pick<DataFolder, 'path'>): string {
  const file = join(path, 'signing-keys.json');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = `${JSON.stringify({ keys: [createKey()] }, null, 2)}\n`;
  // Written whole or not at all: half a key would stop every later start.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return text;
}

function createKey(): Record<string, unknown> {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kty, crv, x, d, validFrom: new Date().toISOString() };
}
