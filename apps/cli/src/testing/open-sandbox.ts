import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedSandbox } from '@touchstone/common/testing';
import { createPublicClient, http, parseAbi } from 'viem';
import { base } from 'viem/chains';
import { runInProcess } from './run-in-process.ts';
import { SELLER_WALLET, USDC } from './seller.ts';

const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Opens the sandbox of this test worker. Commands with `--sandbox` get a separate data folder. */
export async function openSandbox() {
  const ready = await openSharedSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  const client = createPublicClient({ chain: base, transport: http(ready.chainRpcUrls['eip155:8453']) });
  /** Writes the file by which commands with `--sandbox` find the sandbox, the service and its network. */
  const announceService = (serviceUrl?: string, network = 'eip155:8453'): void => {
    const demoWalletKeyFile = join(ready.dataDir, 'demo-wallet.key');
    writeFileSync(
      join(folder, 'sandbox.json'),
      JSON.stringify({ ...ready, serviceUrl, demoWalletKeyFile, network }),
    );
  };
  announceService();
  return {
    folder,
    controlUrl: ready.controlUrl,
    facilitatorUrl: ready.facilitatorUrl,
    client,
    /** Returns the USDC balance of the wallet that test sellers are paid to, in atomic units. */
    readSellerBalance: () =>
      client.readContract({
        address: `0x${USDC.slice(2)}`,
        abi,
        functionName: 'balanceOf',
        args: [SELLER_WALLET],
      }),
    announceService,
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runInProcess([...args, '--data-dir', folder], '', { env: { XDG_STATE_HOME: folder, ...env } }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
