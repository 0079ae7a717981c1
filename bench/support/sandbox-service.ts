import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStartedEntry } from '../../apps/web-e2e/support/service-log.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SandboxService {
  readonly url: string;
  /** Process id of the service, which starts all other processes. */
  readonly pid: number;
  /** URL of the database API. */
  readonly database: string;
  readonly chains: {
    /** JSON-RPC URLs by the CAIP-2 id of the network. */
    readonly rpcUrls: Readonly<Record<string, string>>;
    readonly facilitatorUrl: string;
  };
  /** Private key of the sandbox's demo wallet, which holds test USDC. */
  readonly demoWalletKey: `0x${string}`;
  stop(): Promise<void>;
}

/**
 * Starts the service with its sandbox, as `npm start` does, and waits until all endpoints are probed and scored.
 *
 * @param variables more environment variables
 */
export async function startSandboxService(
  dataDir: string,
  port: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<SandboxService> {
  const child = spawn(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, SANDBOX_DAYS: '1', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((ready, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('  schedule ')) ready();
    });
    child.once('exit', () => failed(new Error(`the service ended:\n${output}`)));
  });
  const { chains, database } = readStartedEntry(dataDir);
  if (chains === null) throw new Error('The sandbox has no chains on this machine');
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    database,
    chains,
    demoWalletKey: readFileSync(join(dataDir, 'sandbox', 'demo-wallet.key'), 'utf8').trim() as `0x${string}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
