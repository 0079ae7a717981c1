import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { SalesNetworkId } from './chain/network.ts';

/** Schema of the message that a sandbox process sends once, when it is ready. */
export const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.string(),
  controlUrl: z.string(),
  /** HTTP URL of the page that shows the received webhooks and chat messages. */
  receiverUrl: z.string(),
  /** Path of the PEM file with the certificate authority that clients must trust. */
  caFile: z.string(),
  tlsPort: z.number(),
  /** Start of the simulated time, ISO 8601. */
  epoch: z.string(),
  endpoints: z.number(),
  /** JSON-RPC URL of each chain, by the CAIP-2 id of its network; null without a chain. */
  chainRpcUrls: z.record(z.string(), z.string()).nullable(),
  /** HTTP URL of the facilitator; null without a chain. */
  facilitatorUrl: z.string().nullable(),
  /** File of the agents' settled payments; null without a chain. */
  ledgerFile: z.string().nullable(),
  /** Reason why the sandbox has no chain, in one line; null when it has a chain. */
  chainMissing: z.string().nullable(),
});

/** Addresses and files of a running sandbox. */
export type SandboxReady = z.infer<typeof readySchema>;

/** Settings of the sandbox process. Settings that are not given have defaults. */
export interface StartSandboxOptions {
  /** Data folder of the sandbox, created when missing. */
  readonly dataDir: string;
  readonly historyDays?: number;
  /** File of recorded items of a discovery directory, JSON Lines. */
  readonly listingsFile?: string;
  /** CAIP-2 id of the network on which the service sells; Base by default. */
  readonly salesNetwork?: SalesNetworkId;
  /** False to start no chain; true by default. Without a chain, endpoints cannot be paid. */
  readonly hasChain?: boolean;
}

export interface RunningSandbox extends SandboxReady {
  /** Stops the process and waits until it has exited. */
  readonly stop: () => Promise<void>;
}

function toEnvironment(options: StartSandboxOptions): Record<string, string> {
  const settings = {
    SANDBOX_DATA_DIR: options.dataDir,
    SANDBOX_HISTORY_DAYS: options.historyDays?.toString(),
    SANDBOX_LISTINGS: options.listingsFile,
    SANDBOX_NETWORK: options.salesNetwork,
    SANDBOX_CHAIN: options.hasChain === false ? 'off' : undefined,
  };
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

function waitUntilReady(child: ChildProcess): Promise<SandboxReady> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      reject(
        new Error(`the sandbox exited with ${code ?? 'a signal'} before it was ready. ${stderr.trim()}`),
      ),
    );
    child.once('message', (message) => {
      const ready = readySchema.safeParse(message);
      if (ready.success) resolve(ready.data);
      else reject(new Error('the first message of the sandbox process is not a ready message'));
    });
  });
}

/**
 * Starts a sandbox in a child process and waits until it is ready. The child exits when this process exits.
 * @throws Error with the sandbox's error output when the sandbox cannot start
 */
export async function startSandbox(options: StartSandboxOptions): Promise<RunningSandbox> {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    env: toEnvironment(options),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { ...(await waitUntilReady(child)), stop };
}
