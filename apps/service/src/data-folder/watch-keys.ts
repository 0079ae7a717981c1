import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { ConfigError } from '../config/config.ts';
import type { DataFolder } from './data-folder.ts';
import { writePrivateFile } from './write-private-file.ts';

/**
 * Returns the keys that encrypt the secrets of watches in the database, in the format of `WATCH_ENCRYPTION_KEYS`. They
 * are stored in `watch-keys.txt` and created at the first start. The first key encrypts, and all keys decrypt. To rotate
 * keys, insert a new key before the first one.
 *
 * @throws ConfigError when the key file is damaged; the message does not contain a key
 */
export function openWatchKeys({ path }: Pick<DataFolder, 'path'>): string {
  const file = join(path, 'watch-keys.txt');
  const text = (readIfPresent(file) ?? createKeyFile(file)).trim();
  try {
    createCipher(parseWatchKeys(text));
  } catch {
    throw new ConfigError(
      `${file} is damaged. Restore it: without its keys, no watch can deliver events or be renewed.`,
    );
  }
  return text;
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function createKeyFile(file: string): string {
  const key = randomBytes(32).toString('base64url');
  writePrivateFile(file, `${key}\n`);
  return key;
}
