import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listenOnLoopback, LOOPBACK } from '../loopback.ts';
import { StartupError } from '../startup-error.ts';
import { CHAIN_ID } from './network.ts';
import { createRpc } from './rpc.ts';
import type { Rpc } from './rpc.ts';

export interface AnvilOptions {
  /** File of the program; see `anvilBinary`. */
  readonly binary: string;
  /** Time of the first block, seconds since 1970. */
  readonly genesis: number;
  /** File of a state to begin with, or null. */
  readonly stateFile: string | null;
}

export interface Anvil {
  readonly url: string;
  readonly rpc: Rpc;
  /** Settles when the program ends, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends the program at once; what is to be kept is kept elsewhere. */
  readonly stop: () => void;
}

const POLL_MS = 15;
const PATIENCE_MS = 30_000;

const freePort = async (): Promise<number> => {
  const probe = createServer();
  const port = await listenOnLoopback(probe, 'chain', 0);
  probe.close();
  await once(probe, 'close');
  return port;
};

const settings = ({ genesis, stateFile }: AnvilOptions, port: number): string[] => [
  ...['--host', LOOPBACK, '--port', String(port), '--no-cors', '--quiet'],
  ...['--chain-id', String(CHAIN_ID), '--timestamp', String(genesis), '--accounts', '0'],
  // Blocks are made when there is something to put in them, in the order it was handed over.
  ...['--no-mining', '--order', 'fifo'],
  // Blocks, transactions and logs are kept, and the last few states: a call on the latest block is still answered when
  // the next one is made meanwhile.
  ...['--prune-history', '16'],
  ...(stateFile === null ? [] : ['--load-state', stateFile]),
];

const answers = async (rpc: Rpc, child: ChildProcess): Promise<boolean> => {
  const deadline = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const id = await rpc.call('eth_chainId').catch(() => null);
    if (id !== null) return Number(id) === CHAIN_ID;
    await sleep(POLL_MS);
  }
  return false;
};

/**
 * Starts anvil on a free port of the loopback address; it ends with this process.
 * @throws StartupError when it does not answer
 */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const port = await freePort();
  const url = `http://${LOOPBACK}:${port}`;
  const leash = fileURLToPath(new URL('leash.ts', import.meta.url));
  const child = fork(leash, [options.binary, ...settings(options, port)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk) => (complaint = (complaint + String(chunk)).slice(-1_000)));
  const ended = once(child, 'exit').then(() => undefined);
  // The end of the channel is the one signal that a process can act on everywhere.
  const stop = () => {
    if (child.connected) child.disconnect();
  };
  const rpc = createRpc(url);
  if (await answers(rpc, child)) return { url, rpc, ended, stop };
  stop();
  throw new StartupError(`the chain does not start. ${complaint.trim()}`.trim());
};
