import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { z } from 'zod';
import { ready, startChild, type Child } from './child.ts';
import type { ServiceConfig } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import { openSandboxWorld, type SandboxWorld } from './sandbox-world.ts';

const ENTRY = fileURLToPath(new URL('../../sandbox/src/main.ts', import.meta.url));
const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.url(),
  controlUrl: z.url(),
  caFile: z.string(),
  epoch: z.iso.datetime(),
  endpoints: z.number().int(),
  chainRpcUrl: z.url().nullable(),
  facilitatorUrl: z.url().nullable(),
  ledgerFile: z.string().nullable(),
  chainMissing: z.string().nullable(),
});

export interface Sandbox {
  readonly child: Child;
  readonly directoryUrl: string;
  /** Certificate authority of its endpoints, PEM. */
  readonly ca: string;
  /** When its history begins, milliseconds since the epoch. */
  readonly epoch: number;
  readonly endpoints: number;
  readonly world: SandboxWorld;
  /** Where its endpoints are paid; null where npm has no chain for this machine. */
  readonly chain: SandboxChain | null;
  /** Why there is no chain, in one line; null when there is one. */
  readonly chainMissing: string | null;
}

/** A chain with Base's id on this machine alone. */
interface SandboxChain {
  /** JSON-RPC over HTTP. */
  readonly rpcUrl: string;
  /** `/verify`, `/settle` and `/supported` of x402. */
  readonly facilitatorUrl: string;
  /** JSON Lines of what the agents of the sandbox really paid. */
  readonly ledgerFile: string;
}

/** Starts the sandbox: a directory and the endpoints it lists. */
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
  const said = await ready(child, 'sandbox', (message) => readySchema.parse(message));
  const { directoryUrl, controlUrl, caFile, epoch, endpoints, chainMissing } = said;
  const visitorKeyFile = join(folder.path, 'sandbox', 'visitor.key');
  const noteFile = join(folder.path, 'sandbox.json');
  tellOthers({ controlUrl, caFile, serviceUrl: baseUrl, visitorKeyFile }, { file: noteFile, child });
  const world = await openSandboxWorld(noteFile);
  return {
    child,
    directoryUrl,
    ca: world.ca,
    epoch: Date.parse(epoch),
    endpoints,
    world,
    chain: chainOf(said),
    chainMissing,
  };
}

function chainOf({
  chainRpcUrl,
  facilitatorUrl,
  ledgerFile,
}: z.infer<typeof readySchema>): SandboxChain | null {
  if (chainRpcUrl === null || facilitatorUrl === null || ledgerFile === null) return null;
  return { rpcUrl: chainRpcUrl, facilitatorUrl, ledgerFile };
}

/** Other programs on this machine, such as the command line, learn from a file where the sandbox is while it runs. */
function tellOthers(
  whereabouts: { controlUrl: string; caFile: string; serviceUrl: string; visitorKeyFile: string },
  { file, child }: { file: string; child: Child },
): void {
  writeFileSync(file, `${JSON.stringify(whereabouts)}\n`);
  void child.ended.then(() => {
    rmSync(file, { force: true });
  });
}
