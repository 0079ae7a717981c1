import { join } from 'node:path';
import { createBalanceReader } from '../chain/balance.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { createMintCall } from '../chain/token-calls.ts';
import { writeDataFile } from '../data-folder/data-file.ts';
import { INITIAL_BALANCE, openWalletKeys } from './wallet-keys.ts';

/** Label from which the private key is derived. Another label would give the demo wallet another address. */
const KEY_LABEL = 'visitor';

/**
 * Opens the demo wallet, with which the operator can pay in the sandbox. The private key is written to
 * `demo-wallet.key` in the data folder, readable by the owner only. If the wallet is empty on a chain, it gets new
 * made-up USDC there. The agents do not use this wallet.
 * @throws StartupError when the key cannot be written
 */
export async function openDemoWallet(dataDir: string, chains: readonly SandboxChain[]): Promise<void> {
  const keys = await openWalletKeys(dataDir);
  const { address } = keys.getAccount(KEY_LABEL);
  await writeDataFile(join(dataDir, 'demo-wallet.key'), `${keys.getPrivateKey(KEY_LABEL)}\n`);
  await Promise.all(
    chains.map(async (chain) => {
      if ((await createBalanceReader(chain)(address)) > 0n) return;
      const mint = createMintCall(chain.network, address, INITIAL_BALANCE);
      await chain.mine({ at: 0, unsigned: [mint], signed: [] });
    }),
  );
}
