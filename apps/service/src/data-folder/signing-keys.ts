import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { writePrivateFile } from './write-private-file.ts';

/**
 * Returns the keys that sign reports, as the JSON text of a JWK set. They are stored in `signing-keys.json` and created
 * at the first start. The first key of the set signs new reports. To rotate keys, insert a new private key before the
 * first one.
 */
export function openSigningKeys({ path }: Pick<DataFolder, 'path'>): string {
  const file = join(path, 'signing-keys.json');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = `${JSON.stringify({ keys: [createKey()] }, null, 2)}\n`;
  writePrivateFile(file, text);
  return text;
}

function createKey(): Record<string, unknown> {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kty, crv, x, d, validFrom: new Date().toISOString() };
}
