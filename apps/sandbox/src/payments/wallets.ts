import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { createBalanceReader, createMintCall } from '../chain/chain-access.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';

/** Initial balance of each paying wallet, in atomic units: 100,000 made-up dollars, enough for years of payments. */
const INITIAL_BALANCE = 100_000_000_000n;

/** Gives each of the wallets that is empty on a chain its initial balance. */
export async function fundWallets(chain: SandboxChain, addresses: readonly Address[]): Promise<void> {
  const readBalance = createBalanceReader(chain);
  const balances = await Promise.all(addresses.map(readBalance));
  const unsigned = addresses.flatMap((address, index) =>
    balances[index] === 0n ? [createMintCall(chain.network, address, INITIAL_BALANCE)] : [],
  );
  if (unsigned.length > 0) await chain.mine({ at: 0, unsigned, signed: [] });
}

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

/** Name of the wallet with which the service makes its test purchases. No agent has this name. */
export const DELIVERY_WALLET = 'delivery wallet';

/** Wallets of the operator, by the names of their files. The agents never use these wallets. */
const OPERATOR_WALLETS = {
  'demo-wallet.key': 'demo wallet',
  'delivery-wallet.key': DELIVERY_WALLET,
} as const;

/**
 * Opens the demo wallet, with which the operator can pay in the sandbox, and the wallet of the test purchases. The
 * private keys are written to `demo-wallet.key` and `delivery-wallet.key` in the data folder, and only the owner can
 * read these files. A wallet that is empty on a chain receives made-up USDC on this chain.
 * @throws StartupError when a key cannot be written
 */
export async function openOperatorWallets(dataDir: string, chains: readonly SandboxChain[]): Promise<void> {
  const keys = await openWalletKeys(dataDir);
  for (const [file, name] of Object.entries(OPERATOR_WALLETS))
    await writeDataFile(join(dataDir, file), `${keys.getPrivateKey(name)}\n`);
  const addresses = Object.values(OPERATOR_WALLETS).map((name) => keys.getAccount(name).address);
  await Promise.all(chains.map((chain) => fundWallets(chain, addresses)));
}
