import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runWorker, type WorkerMessage, type WorkerSettings } from './run-worker.ts';

const PROGRAM = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

export interface Worker {
  /** Results and errors of its jobs so far. */
  readonly messages: readonly WorkerMessage[];
  /** Waits until all running jobs have ended. */
  readonly stop: () => Promise<void>;
}

/** Worker in its own process. */
export interface WorkerProcess extends Worker {
  readonly owner: string;
  /** Kills the process at once, also while it is suspended. */
  readonly kill: () => Promise<void>;
  /** Suspends the process, as a suspended machine does. It continues after `resume`. */
  readonly suspend: () => void;
  readonly resume: () => void;
}

/** Starts a worker in this process. */
export function startWorker(settings: WorkerSettings): Worker {
  const messages: WorkerMessage[] = [];
  const stopping = new AbortController();
  const running = runWorker(settings, (message) => void messages.push(message), stopping.signal);
  return {
    messages,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** Starts a worker in a new process. */
export function startWorkerProcess(settings: WorkerSettings): WorkerProcess {
  const env = { ...process.env, WORKER: JSON.stringify(settings) };
  const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const messages: WorkerMessage[] = [];
  child.on('message', (message: WorkerMessage) => void messages.push(message));
  const exited = once(child, 'exit');
  const end = async (request: () => unknown): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) request();
    await exited;
  };
  return {
    owner: `worker-${settings.number}`,
    messages,
    kill: () => end(() => child.kill('SIGKILL')),
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => end(() => child.send('stop')),
  };
}
