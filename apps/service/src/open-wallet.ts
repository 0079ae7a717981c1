import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { ConfigError } from './config.ts';
import type { DataFolder } from './data-folder.ts';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

/**
 * The wallet that what is sold in the sandbox is paid to. Its key is made at first and kept in the data folder, so
 * that whoever looks at the chain can tell whose it is; nothing needs it to be paid.
 *
 * @returns the address, with its checksum
 * @throws ConfigError when the file holds something else
 */
export function openWallet({ path }: Pick<DataFolder, 'path'>): string {
  const file = join(path, 'seller.key');
  const parsed = keySchema.safeParse((readIfThere(file) ?? create(file)).trim());
  if (!parsed.success) throw new ConfigError(`${file} is damaged: restore it, or remove it for a new wallet`);
  return privateKeyToAccount(parsed.data).address;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function create(file: string): string {
  const key = generatePrivateKey();
  // Written whole or not at all: half a key would stop every later start.
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}
