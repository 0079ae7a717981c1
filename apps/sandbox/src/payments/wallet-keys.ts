import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Hex, PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';

/** Initial balance of each paying wallet, in atomic units: 100,000 made-up dollars, enough for years of payments. */
export const INITIAL_BALANCE = 100_000_000_000n;

const secretSchema = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{64}$/);

/**
 * Wallets of a data folder. In one folder, a name always gives the same wallet. In another folder, it gives another
 * wallet.
 */
export interface WalletKeys {
  readonly getAccount: (name: string) => PrivateKeyAccount;
  readonly getPrivateKey: (name: string) => Hex;
}

async function openSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'wallets.key');
  const stored = await readDataFile(file);
  if (stored === null) {
    const created = randomBytes(32).toString('hex');
    await writeDataFile(file, `${created}\n`);
    return created;
  }
  const secret = secretSchema.safeParse(stored);
  if (!secret.success)
    throw new StartupError(`${file} is damaged; remove its folder to start a new simulation`);
  return secret.data;
}

/**
 * Opens the wallets of a data folder. All private keys are derived from a random secret in the file `wallets.key`,
 * which is created at the first start and readable by the owner only. The accounts of development chains are not used,
 * because their private keys are public.
 * @throws StartupError when the secret is damaged, or cannot be read or written
 */
export async function openWalletKeys(dataDir: string): Promise<WalletKeys> {
  const secret = await openSecret(dataDir);
  const getPrivateKey = (name: string): Hex => `0x${createHmac('sha256', secret).update(name).digest('hex')}`;
  return { getPrivateKey, getAccount: (name) => privateKeyToAccount(getPrivateKey(name)) };
}
