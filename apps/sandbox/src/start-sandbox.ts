import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readySchema } from './sandbox-ready.ts';
import type { SandboxReady } from './sandbox-ready.ts';

/** Settings of the process; what is left out takes its default. */
export interface StartSandboxOptions {
  /** Folder the world is kept in; made when missing. */
  readonly dataDir: string;
  readonly seed?: string;
  /** The world's first moment, ISO 8601. */
  readonly epoch?: string;
  readonly historyDays?: number;
  /** File of recorded directory items, JSON Lines. */
  readonly listingsFile?: string;
}

export interface RunningSandbox extends SandboxReady {
  /** Ends the process and waits until it has gone. */
  readonly stop: () => Promise<void>;
}

const environment = (options: StartSandboxOptions): Record<string, string> => {
  const settings = {
    SANDBOX_DATA_DIR: options.dataDir,
    SANDBOX_SEED: options.seed,
    SANDBOX_EPOCH: options.epoch,
    SANDBOX_HISTORY_DAYS: options.historyDays?.toString(),
    SANDBOX_LISTINGS: options.listingsFile,
  };
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
};

const stopper = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
};

const readiness = (child: ChildProcess): Promise<SandboxReady> => {
  let complaint = '';
  child.stderr?.on('data', (chunk) => (complaint += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      reject(
        new Error(`the sandbox ended with ${code ?? 'a signal'} before it was ready. ${complaint.trim()}`),
      ),
    );
    child.once('message', (message) => {
      const ready = readySchema.safeParse(message);
      if (ready.success) resolve(ready.data);
      else reject(new Error('the sandbox sent something else than that it is ready'));
    });
  });
};

/**
 * Starts a sandbox as a process of its own and waits until it is ready. It ends with the process that started it.
 * @throws Error with the sandbox's own words when it cannot start
 */
export const startSandbox = async (options: StartSandboxOptions): Promise<RunningSandbox> => {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    env: environment(options),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return { ...(await readiness(child)), stop: stopper(child) };
};
