import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServiceConfig } from '../config/config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { startChild, waitUntilReady, type Child } from '../processes/child-process.ts';
import { connectToSandbox, type SandboxControl } from './sandbox-control.ts';

const ENTRY = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.url(),
  controlUrl: z.url(),
  receiverUrl: z.url(),
  caFile: z.string(),
  epoch: z.iso.datetime(),
  endpoints: z.number().int(),
  chainRpcUrls: z.record(z.string(), z.url()).nullable(),
  facilitatorUrl: z.url().nullable(),
  ledgerFile: z.string().nullable(),
  chainMissing: z.string().nullable(),
});

export interface Sandbox {
  readonly child: Child;
  readonly directoryUrl: string;
  /** URL of the page that shows the webhooks and chat messages which the sandbox received. */
  readonly receiverUrl: string;
  /** Certificate authority of the endpoints, PEM. */
  readonly ca: string;
  /** Start of the simulated time, in milliseconds since 1970. */
  readonly epoch: number;
  /** Number of endpoints. */
  readonly endpoints: number;
  readonly control: SandboxControl;
  /** Chains on which the endpoints are paid; null when the sandbox has no chains. */
  readonly chains: SandboxChains | null;
  /** Reason why there are no chains, in one line; null with chains. */
  readonly chainMissing: string | null;
}

/** Local chains. Each chain has the chain id of its network. */
interface SandboxChains {
  /** URLs for JSON-RPC over HTTP, by the CAIP-2 id of the network. */
  readonly rpcUrls: Readonly<Record<string, string>>;
  /** Base URL of the x402 routes `/verify`, `/settle` and `/supported`. */
  readonly facilitatorUrl: string;
  /** File with the agents' settled payments, JSON Lines. */
  readonly ledgerFile: string;
}

/** Starts the sandbox process: the directory, the endpoints and the chains. */
export async function startSandbox(
  folder: DataFolder,
  { sandbox: config, baseUrl }: Pick<ServiceConfig, 'sandbox' | 'baseUrl'>,
): Promise<Sandbox> {
  const child = startChild({
    name: 'sandbox',
    args: [ENTRY],
    env: {
      SANDBOX_DATA_DIR: join(folder.path, 'sandbox'),
      SANDBOX_SEED: config.seed,
      SANDBOX_HISTORY_DAYS: String(config.days),
      SANDBOX_LISTINGS: config.listings ?? '',
    },
    logDir: join(folder.path, 'logs'),
  });
  const ready = await waitUntilReady(child, 'sandbox', (message) => readySchema.parse(message));
  const { directoryUrl, controlUrl, receiverUrl, caFile, epoch, endpoints, chainMissing } = ready;
  const demoWalletKeyFile = join(folder.path, 'sandbox', 'demo-wallet.key');
  const sandboxFile = join(folder.path, 'sandbox.json');
  writeSandboxFile(
    { controlUrl, caFile, serviceUrl: baseUrl, demoWalletKeyFile },
    { file: sandboxFile, child },
  );
  const control = await connectToSandbox(sandboxFile);
  return {
    child,
    directoryUrl,
    receiverUrl,
    ca: control.ca,
    epoch: Date.parse(epoch),
    endpoints,
    control,
    chains: toSandboxChains(ready),
    chainMissing,
  };
}

function toSandboxChains({
  chainRpcUrls,
  facilitatorUrl,
  ledgerFile,
}: z.infer<typeof readySchema>): SandboxChains | null {
  if (chainRpcUrls === null || facilitatorUrl === null || ledgerFile === null) return null;
  return { rpcUrls: chainRpcUrls, facilitatorUrl, ledgerFile };
}

/** Contents of `sandbox.json`, which the site and the command line read to find the running sandbox. */
interface SandboxFile {
  readonly controlUrl: string;
  readonly caFile: string;
  readonly serviceUrl: string;
  /** File with the private key of the demo wallet. */
  readonly demoWalletKeyFile: string;
}

/** Writes `sandbox.json` and removes it when the sandbox exits. */
function writeSandboxFile(content: SandboxFile, { file, child }: { file: string; child: Child }): void {
  writeFileSync(file, `${JSON.stringify(content)}\n`);
  void child.ended.then(() => {
    rmSync(file, { force: true });
  });
}
