import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicClient, http, parseAbi } from 'viem';
import { base } from 'viem/chains';
import { z } from 'zod';
import { SELLER_WALLET } from './seller.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const readySchema = z.object({
  controlUrl: z.string(),
  caFile: z.string(),
  chainRpcUrls: z.object({ 'eip155:8453': z.string() }),
  facilitatorUrl: z.string(),
});

/** Starts the real sandbox in a process of its own, with a data folder that `close` deletes. */
export async function startSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  const child = spawn(process.execPath, [SANDBOX], {
    env: { SANDBOX_DATA_DIR: join(folder, 'sandbox') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  const ready = readySchema.parse(messages[0]);
  const client = createPublicClient({ chain: base, transport: http(ready.chainRpcUrls['eip155:8453']) });
  return {
    /** Data folder that commands read with `--data-dir`. */
    folder,
    facilitatorUrl: ready.facilitatorUrl,
    client,
    /** Returns the USDC balance of the wallet that test sellers are paid to, in atomic units. */
    readSellerBalance: () =>
      client.readContract({ address: USDC, abi, functionName: 'balanceOf', args: [SELLER_WALLET] }),
    /** Writes the file by which commands with `--sandbox` find the service and its network. */
    announceService: (serviceUrl: string, network?: string) => {
      const demoWalletKeyFile = join(folder, 'sandbox', 'demo-wallet.key');
      writeFileSync(
        join(folder, 'sandbox.json'),
        JSON.stringify({ ...ready, serviceUrl, demoWalletKeyFile, network }),
      );
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
