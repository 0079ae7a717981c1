import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSandboxClient, type SandboxClient } from '@touchstone/probe';
import { z } from 'zod';
import type { SandboxNetwork, ServiceConfig } from '../config/config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { waitUntilReady, type Child, type Spawn, type Supervisor } from '../processes/supervisor.ts';

const ENTRY = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
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

export interface Sandbox {
  /** Returns false while the sandbox process is restarted. */
  readonly isRunning: () => boolean;
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
  /** CAIP-2 id of the network on which the service sells. */
  readonly network: SandboxNetwork;
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

export interface StartSandboxOptions {
  readonly folder: DataFolder;
  readonly config: Pick<ServiceConfig, 'sandbox' | 'baseUrl'>;
  readonly supervisor: Supervisor;
}

type Ready = z.infer<typeof readySchema>;

/**
 * Starts the sandbox process: the directory, the endpoints and the chains. A restarted process has the same addresses and
 * the same clock.
 */
export async function startSandbox(options: StartSandboxOptions): Promise<Sandbox> {
  const { folder, supervisor } = options;
  const sandboxFile = join(folder.path, 'sandbox.json');
  let first: Ready | null = null;
  let child: Child | null = null;
  let control: SandboxControl | null = null;
  const start = async (spawn: Spawn): Promise<Ready> => {
    const started = spawnSandbox(options, spawn, first);
    const ready = await waitUntilReady(started, 'sandbox', (message) => readySchema.parse(message));
    writeSandboxFile(options, { file: sandboxFile, child: started, ready });
    child = started;
    return (first ??= ready);
  };
  const onRestarted = async (): Promise<void> => control?.restoreClock();
  const ready = await supervisor.start({ name: 'sandbox', start, onRestarted });
  control = await connectToSandbox(sandboxFile);
  return {
    isRunning: () => child?.process.exitCode === null && child.process.signalCode === null,
    directoryUrl: ready.directoryUrl,
    receiverUrl: ready.receiverUrl,
    ca: control.ca,
    epoch: Date.parse(ready.epoch),
    endpoints: ready.endpoints,
    control,
    network: options.config.sandbox.network,
    chains: toSandboxChains(ready),
    chainMissing: ready.chainMissing,
  };
}

/**
 * Starts one sandbox process.
 *
 * @param previous addresses of the process that this one replaces; null at the first start
 */
function spawnSandbox(
  { folder, config: { sandbox } }: StartSandboxOptions,
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
      ...(previous === null ? {} : toPortSettings(previous)),
    },
  });
}

/** Returns the settings with which a sandbox has the same addresses as an earlier one. */
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

function toSandboxChains({ chainRpcUrls, facilitatorUrl, ledgerFile }: Ready): SandboxChains | null {
  if (chainRpcUrls === null || facilitatorUrl === null || ledgerFile === null) return null;
  return { rpcUrls: chainRpcUrls, facilitatorUrl, ledgerFile };
}

interface SandboxFileOptions {
  readonly file: string;
  readonly child: Child;
  readonly ready: Ready;
}

/**
 * Writes `sandbox.json`, which the site and the command line read to find the running sandbox. Removes it when the
 * sandbox exits.
 */
function writeSandboxFile(
  { folder, config: { baseUrl, sandbox } }: StartSandboxOptions,
  { file, child, ready: { controlUrl, caFile } }: SandboxFileOptions,
): void {
  // The file with the private key of the demo wallet.
  const demoWalletKeyFile = join(folder.path, 'sandbox', 'demo-wallet.key');
  const { network } = sandbox;
  const content = { controlUrl, caFile, serviceUrl: baseUrl, demoWalletKeyFile, network };
  writeFileSync(file, `${JSON.stringify(content)}\n`);
  void child.ended.then(() => {
    rmSync(file, { force: true });
  });
}

/**
 * Name resolution, clock and agents of the sandbox. Its resolver resolves only hosts of the sandbox, so other hosts are
 * never contacted.
 */
export interface SandboxControl extends Pick<
  SandboxClient,
  'resolver' | 'ca' | 'hostSuffix' | 'setClock' | 'refresh'
> {
  /**
   * Waits until the agents have made all payments up to a simulated time, at most one minute. Returns at once when the
   * sandbox has no agents.
   */
  waitForPayments(at: number, signal: AbortSignal): Promise<void>;
  /** Sets the clock of a restarted sandbox to the time that was set last, and reads its host names again. */
  restoreClock(): Promise<void>;
}

/**
 * Connects to the control server of a sandbox.
 *
 * @param sandboxFile path of `sandbox.json`, which contains the address of the control server
 */
export async function connectToSandbox(sandboxFile: string): Promise<SandboxControl> {
  const client = await openSandboxClient(sandboxFile);
  let lastSet: number | null | undefined;
  return {
    ...client,
    setClock: async (at) => {
      lastSet = at;
      await client.setClock(at);
    },
    restoreClock: () => (lastSet === undefined ? client.refresh() : client.setClock(lastSet)),
    waitForPayments: (at, signal) => waitForPayments(client.controlUrl, at, signal),
  };
}

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
