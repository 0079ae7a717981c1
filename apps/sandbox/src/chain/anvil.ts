import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, LOOPBACK } from '../http/loopback.ts';
import { StartupError } from '../startup-error.ts';
import { createRpc, type Rpc } from './rpc.ts';

/** Map from Node's processor names (`process.arch`) to the names in npm's anvil packages. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Finds the executable of anvil, the program that runs the local chain. npm has one anvil package for each platform.
 * @param process operating system and processor, with the names of `process.platform` and `process.arch`
 * @returns path of the executable, or null when npm has no anvil for this platform
 */
export function findAnvilBinary({
  platform,
  arch,
}: { readonly platform: string; readonly arch: string } = process): string | null {
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}`;
  try {
    // The package for this platform is a dependency of @foundry-rs/anvil. So its path is resolved from there.
    const resolver = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'));
    const folder = dirname(resolver.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

export interface AnvilOptions {
  /** Path of the executable; see `findAnvilBinary`. */
  readonly binary: string;
  readonly chainId: number;
  /** Time of the genesis block, in seconds since 1970. */
  readonly genesis: number;
  /** File with the saved state from which the chain starts; null for a new chain. */
  readonly stateFile: string | null;
  /** Port on loopback; 0 selects any free port. */
  readonly port: number;
}

export interface Anvil {
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves when the program exits for any reason. The value is the reason, such as "exit code 1". */
  readonly ended: Promise<string>;
  /** Kills the program. No data is lost, because the journal contains all blocks. */
  readonly stop: () => void;
}

const POLL_MS = 15;
const START_TIMEOUT_MS = 30_000;

function createArguments({ chainId, genesis, stateFile }: AnvilOptions, port: number): string[] {
  return [
    ...['--host', LOOPBACK, '--port', String(port), '--no-cors', '--quiet'],
    ...['--chain-id', String(chainId), '--timestamp', String(genesis), '--accounts', '0'],
    // Blocks are mined only on request. Their transactions have the order in which the node received them.
    ...['--no-mining', '--order', 'fifo'],
    // The node keeps all blocks, transactions and logs, but account balances and contract storage only of the last 16
    // blocks. Calls on the latest block need this state while further blocks are mined.
    ...['--prune-history', '16'],
    ...(stateFile === null ? [] : ['--load-state', stateFile]),
  ];
}

/**
 * Waits until the node responds. Returns false when the process exits, the node has another chain id, or the timeout
 * expires.
 */
async function waitForNode(rpc: Rpc, child: ChildProcess, chainId: number): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const id = await rpc.call('eth_chainId').catch(() => null);
    if (id !== null) return Number(id) === chainId;
    await sleep(POLL_MS);
  }
  return false;
}

function killIfRunning(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

function formatEnd({ exitCode, signalCode }: ChildProcess): string {
  return signalCode === null ? `exit code ${String(exitCode)}` : `killed by ${signalCode}`;
}

/**
 * Starts anvil on a port of the loopback address. The anvil process is killed when this process exits.
 * @throws StartupError when the port is in use, or anvil does not respond within 30 seconds
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = await findFreePort('port of the chain', options.port);
  const url = `http://${LOOPBACK}:${port}`;
  const watchdog = fileURLToPath(new URL('parent-watchdog.ts', import.meta.url));
  const child = fork(watchdog, [options.binary, ...createArguments(options, port)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr = (stderr + String(chunk)).slice(-1_000)));
  let programId: number | null = null;
  child.on('message', (id) => (programId = Number(id)));
  const ended = once(child, 'exit').then(() => {
    // If a signal killed only the watchdog, anvil would still run and keep its port.
    if (programId !== null) killIfRunning(programId);
    return formatEnd(child);
  });
  // Closing the IPC channel stops the watchdog and anvil. Unlike signals, this works on every operating system.
  const stop = () => {
    if (child.connected) child.disconnect();
  };
  const rpc = createRpc(url);
  if (await waitForNode(rpc, child, options.chainId)) return { url, rpc, ended, stop };
  stop();
  throw new StartupError(`the chain does not start. ${stderr.trim()}`.trim());
}
