import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSandboxClient } from '@touchstone/probe';
import { z } from 'zod';
import type { ServiceConfig } from '../config/config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { waitForMessage, type Child, type Spawn, type Supervisor } from '../processes/supervisor.ts';

const ENTRY = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
/** Schema of the ready message; apps/sandbox/README.md describes it. */
const readySchema = z.object({
  type: z.literal('ready'),
  directoryUrl: z.url(),
  tlsPort: z.number().int(),
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
type Ready = z.infer<typeof readySchema>;

export interface StartSandboxOptions {
  readonly folder: DataFolder;
  readonly config: Pick<ServiceConfig, 'sandbox' | 'baseUrl'>;
  readonly supervisor: Supervisor;
}

/**
 * Starts the sandbox process: the directory, the endpoints and the chains. A restarted process has the same addresses and
 * the same clock.
 */
export async function startSandboxProcess(options: StartSandboxOptions) {
  const { folder, supervisor } = options;
  const sandboxFile = join(folder.path, 'sandbox.json');
  let first: Ready | null = null;
  let child: Child | null = null;
  let control: SandboxControl | null = null;
  const start = async (spawn: Spawn): Promise<Ready> => {
    const started = spawnSandbox(options, spawn, first);
    const ready = await waitForMessage(started, readySchema);
    writeSandboxFile(options, { file: sandboxFile, child: started, ready });
    child = started;
    return (first ??= ready);
  };
  const onRestarted = async (): Promise<void> => void (await control?.restoreClock());
  const ready = await supervisor.start({ name: 'sandbox', start, onRestarted });
  control = await connectToSandbox(sandboxFile);
  const { directoryUrl, receiverUrl, epoch, endpoints, chainMissing } = ready;
  return {
    /** Returns false while the sandbox process is restarted. */
    isRunning: () => child?.process.exitCode === null && child.process.signalCode === null,
    ...{ directoryUrl, receiverUrl, endpoints, control, chainMissing },
    /** Start of the simulated time, in milliseconds since 1970. */
    epoch: Date.parse(epoch),
    /** CAIP-2 id of the network on which the service sells. */
    network: options.config.sandbox.network,
    /** Chains on which the endpoints are paid; null when the sandbox has no chains. */
    chains: toSandboxChains(ready),
  };
}

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandboxProcess>>>;

/**
 * Starts one sandbox process.
 *
 * @param previous addresses of the process that the new process replaces; null at the first start
 */
function spawnSandbox(
  { folder, config: { baseUrl, sandbox } }: StartSandboxOptions,
  spawn: Spawn,
  previous: Ready | null,
): Child {
  return spawn({
    name: 'sandbox',
    args: [ENTRY],
    env: {
      SANDBOX_DATA_DIR: join(folder.path, 'sandbox'),
      SANDBOX_SEED: sandbox.seed,
      SANDBOX_HISTORY_DAYS: String(sandbox.days),
      SANDBOX_LISTINGS: sandbox.listings ?? '',
      SANDBOX_NETWORK: sandbox.network,
      SANDBOX_SERVICE_URL: baseUrl,
      ...(previous === null ? {} : toPortSettings(previous)),
    },
  });
}

/** Returns the port settings that give a new sandbox process the addresses of an earlier process. */
function toPortSettings(ready: Ready): Readonly<Record<string, string>> {
  const chains = Object.entries(ready.chainRpcUrls ?? {});
  return {
    SANDBOX_TLS_PORT: String(ready.tlsPort),
    SANDBOX_DIRECTORY_PORT: new URL(ready.directoryUrl).port,
    SANDBOX_CONTROL_PORT: new URL(ready.controlUrl).port,
    SANDBOX_RECEIVER_PORT: new URL(ready.receiverUrl).port,
    SANDBOX_FACILITATOR_PORT: ready.facilitatorUrl === null ? '' : new URL(ready.facilitatorUrl).port,
    SANDBOX_CHAIN_PORTS: chains.map(([network, url]) => `${network}=${new URL(url).port}`).join(','),
  };
}

function toSandboxChains({ chainRpcUrls, facilitatorUrl, ledgerFile }: Ready) {
  if (chainRpcUrls === null || facilitatorUrl === null || ledgerFile === null) return null;
  return { rpcUrls: chainRpcUrls, facilitatorUrl, ledgerFile };
}

/**
 * Writes `sandbox.json`, which the site and the command line read to find the running sandbox. Removes the file when
 * the sandbox exits.
 */
function writeSandboxFile(
  { folder, config: { baseUrl, sandbox } }: StartSandboxOptions,
  { file, child, ready: { controlUrl, caFile } }: { file: string; child: Child; ready: Ready },
): void {
  const demoWalletKeyFile = join(folder.path, 'sandbox', 'demo-wallet.key');
  const { network } = sandbox;
  const content = { controlUrl, caFile, serviceUrl: baseUrl, demoWalletKeyFile, network };
  writeFileSync(file, `${JSON.stringify(content)}\n`);
  void child.ended.then(() => {
    rmSync(file, { force: true });
  });
}

/**
 * Connects to the control server of a sandbox: name resolution, clock and agents. The resolver resolves only hosts of the
 * sandbox, so other hosts are never contacted.
 *
 * @param sandboxFile path of `sandbox.json`, which contains the address of the control server
 */
export async function connectToSandbox(sandboxFile: string) {
  const client = await openSandboxClient(sandboxFile);
  let lastSet: number | null | undefined;
  return {
    ...client,
    setClock: async (at: number | null): Promise<void> => {
      lastSet = at;
      await client.setClock(at);
    },
    /** Repeats the latest setting of the clock in a restarted sandbox, and reads its host names again. */
    restoreClock: (): Promise<unknown> =>
      lastSet === undefined ? client.refresh() : client.setClock(lastSet),
    /**
     * Waits until the agents have made all payments up to a simulated time, at most one minute. Returns immediately
     * when the sandbox has no agents.
     */
    waitForPayments: (at: number, signal: AbortSignal) => waitForPayments(client.controlUrl, at, signal),
  };
}

export type SandboxControl = Readonly<Awaited<ReturnType<typeof connectToSandbox>>>;

const agentsSchema = z.object({ paidThrough: z.iso.datetime().nullable() });
const POLL_MS = 50;
/**
 * Maximum difference between `paidThrough` and the clock, in milliseconds. Block times are whole seconds, so the last
 * payments can be up to a second before the clock.
 */
const BLOCK_MS = 1_000;
const MAX_WAIT_MS = 60_000;

async function waitForPayments(controlUrl: string, at: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!signal.aborted && performance.now() < deadline) {
    const response = await fetch(new URL('/agents', controlUrl));
    const { paidThrough } = agentsSchema.parse(await response.json());
    if (paidThrough === null || Date.parse(paidThrough) > at - BLOCK_MS) return;
    await sleep(POLL_MS);
  }
}
