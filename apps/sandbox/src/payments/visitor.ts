import { join } from 'node:path';
import { balanceReader } from '../chain/balance.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { mintCall } from '../chain/token-calls.ts';
import { writeDataFile } from '../data-file.ts';
import { openWalletKeys } from './wallet-keys.ts';

/** What a visitor begins with: 100,000 made-up dollars, in atomic units. */
const PURSE = 100_000_000_000n;

/**
 * Gives whoever runs the sandbox a wallet to pay with from outside: its key is in `visitor.key` of the data folder, for
 * the owner alone to read, and its purse is filled whenever it is empty. None of the agents pays with it.
 * @throws StartupError when the key cannot be written
 */
export const welcomeVisitor = async (dataDir: string, chain: SandboxChain): Promise<void> => {
  const keys = await openWalletKeys(dataDir);
  const { address } = keys.accountOf('visitor');
  await writeDataFile(join(dataDir, 'visitor.key'), `${keys.keyOf('visitor')}\n`);
  if ((await balanceReader(chain)(address)) > 0n) return;
  await chain.mine({ at: 0, unsigned: [mintCall(address, PURSE)], signed: [] });
};
