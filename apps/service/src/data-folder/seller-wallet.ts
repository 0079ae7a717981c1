import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import type { DataFolder } from './data-folder.ts';
import { writePrivateFile } from './write-private-file.ts';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

/**
 * Opens the wallet that receives payments for the site's paid routes in the sandbox. The private key is created at the
 * first start and stored in `seller.key`. Payments are received without the key; it only proves ownership of the
 * address.
 *
 * @returns the checksummed address
 * @throws ConfigError when the key file is damaged
 */
export function openSellerWallet({ path }: Pick<DataFolder, 'path'>): string {
  const file = join(path, 'seller.key');
  const parsed = keySchema.safeParse((readIfPresent(file) ?? createKeyFile(file)).trim());
  if (!parsed.success)
    throw new ConfigError(`${file} is damaged. Restore it, or remove it to create a new wallet.`);
  return privateKeyToAccount(parsed.data).address;
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
  const key = generatePrivateKey();
  writePrivateFile(file, `${key}\n`);
  return key;
}
