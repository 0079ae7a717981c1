import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Hex, PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { createBalanceReader, createMintCall } from '../chain/chain-access.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';

/** Initial balance of each paying wallet, in atomic units: 100,000 made-up dollars, enough for years of payments. */
export const INITIAL_BALANCE = 100_000_000_000n;

const secretSchema = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{64}$/);

/**
 * Wallets of a data folder. Within one folder, a name always gives the same wallet. Two folders give different wallets
 * for the same name.
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
 * Opens the wallets of a data folder. All private keys are derived from a random secret in the file `wallets.key`. The
 * file is created at the first start, and only the owner can read it. The accounts of development chains are not used,
 * because their private keys are public.
 * @throws StartupError when the secret is damaged, or cannot be read or written
 */
export async function openWalletKeys(dataDir: string): Promise<WalletKeys> {
  const secret = await openSecret(dataDir);
  const getPrivateKey = (name: string): Hex => `0x${createHmac('sha256', secret).update(name).digest('hex')}`;
  return { getPrivateKey, getAccount: (name) => privateKeyToAccount(getPrivateKey(name)) };
}

/** Name of the demo wallet. No agent has this name. */
const DEMO_WALLET = 'demo wallet';

/**
 * Opens the demo wallet. The operator can pay in the sandbox with this wallet, and the agents never use it. The private
 * key is written to `demo-wallet.key` in the data folder, and only the owner can read this file. If the wallet is empty
 * on a chain, it receives made-up USDC on this chain.
 * @throws StartupError when the key cannot be written
 */
export async function openDemoWallet(dataDir: string, chains: readonly SandboxChain[]): Promise<void> {
  const keys = await openWalletKeys(dataDir);
  const { address } = keys.getAccount(DEMO_WALLET);
  await writeDataFile(join(dataDir, 'demo-wallet.key'), `${keys.getPrivateKey(DEMO_WALLET)}\n`);
  await Promise.all(
    chains.map(async (chain) => {
      if ((await createBalanceReader(chain)(address)) > 0n) return;
      const mint = createMintCall(chain.network, address, INITIAL_BALANCE);
      await chain.mine({ at: 0, unsigned: [mint], signed: [] });
    }),
  );
}
