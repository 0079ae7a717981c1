import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Hex, PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { readDataFile, writeDataFile } from '../data-file.ts';
import { StartupError } from '../startup-error.ts';

const secretSchema = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{64}$/);

/** The wallets of a data folder, each under a name. */
export interface WalletKeys {
  /** The wallet of a name: always the same one in a folder, and another one in every other folder. */
  readonly accountOf: (name: string) => PrivateKeyAccount;
  /** The private key of that wallet. */
  readonly keyOf: (name: string) => Hex;
}

const openSecret = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'wallets.key');
  const stored = await readDataFile(file);
  if (stored === null) {
    const made = randomBytes(32).toString('hex');
    await writeDataFile(file, `${made}\n`);
    return made;
  }
  const secret = secretSchema.safeParse(stored);
  if (!secret.success) throw new StartupError(`${file} is damaged; remove the folder to make a new world`);
  return secret.data;
};

/**
 * Opens the wallets of a data folder, or makes them at the first start: every key is derived from one random secret,
 * `wallets.key`, that only its owner may read. Nobody can know these keys beforehand, as everybody knows the accounts
 * that a development chain comes with.
 * @throws StartupError when the secret cannot be read or written
 */
export const openWalletKeys = async (dataDir: string): Promise<WalletKeys> => {
  const secret = await openSecret(dataDir);
  const keyOf = (name: string): Hex => `0x${createHmac('sha256', secret).update(name).digest('hex')}`;
  return { keyOf, accountOf: (name) => privateKeyToAccount(keyOf(name)) };
};
