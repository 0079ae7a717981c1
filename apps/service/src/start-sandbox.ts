import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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
}

/** Starts the sandbox: a directory and the endpoints it lists. */
export async function startSandbox(folder: DataFolder, config: ServiceConfig['sandbox']): Promise<Sandbox> {
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
  const { directoryUrl, controlUrl, caFile, epoch, endpoints } = await ready(child, 'sandbox', (message) =>
    readySchema.parse(message),
  );
  tellOthers({ controlUrl, caFile }, { file: join(folder.path, 'sandbox.json'), child });
  return {
    child,
    directoryUrl,
    ca: readFileSync(caFile, 'utf8'),
    epoch: Date.parse(epoch),
    endpoints,
    world: await openSandboxWorld(controlUrl),
  };
}

/** Other programs on this machine, such as the command line, learn from a file where the sandbox is while it runs. */
function tellOthers(
  whereabouts: { controlUrl: string; caFile: string },
  { file, child }: { file: string; child: Child },
): void {
  writeFileSync(file, `${JSON.stringify(whereabouts)}\n`);
  void child.ended.then(() => {
    rmSync(file, { force: true });
  });
}
