import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

export interface ChildOptions {
  /** Name of the process in messages and of its log file. */
  readonly name: string;
  /** Arguments of the Node executable: the script and the arguments of the script. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logDir: string;
  readonly cwd?: string;
}

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the process exits. The value is the end of the error output. */
  readonly ended: Promise<string>;
  /** Sends SIGTERM, and SIGKILL if the process still runs after five seconds. Resolves when the process has exited. */
  stop(): Promise<void>;
}

const KILL_AFTER_MS = 5_000;
/** Length of the error output that is kept for messages, in characters. */
const MAX_STDERR_CHARACTERS = 2_000;

/**
 * Starts a Node process whose output goes to a log file. The child has an IPC channel, which closes when this process
 * exits. The child is in a separate process group, so that Ctrl-C in a terminal signals only this process.
 */
export function startChild({ name, args, env, logDir, cwd }: ChildOptions): Child {
  const log = createWriteStream(`${logDir}/${name}.log`, { flags: 'a' });
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stderr = '';
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR_CHARACTERS);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', () => {
      log.end();
      resolve(stderr.trim());
    });
  });
  return { process: child, ended, stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  await ended;
  clearTimeout(timer);
}

/**
 * Waits for the first IPC message of a child and parses it.
 *
 * @throws Error with the last line of the error output when the child exits first
 */
export async function waitUntilReady<T>(
  child: Child,
  name: string,
  parse: (message: unknown) => T,
): Promise<T> {
  const waiting = new AbortController();
  const message = once(child.process, 'message', { signal: waiting.signal }).then(([first]) => parse(first));
  const failed = child.ended.then((stderr) => {
    throw new Error(stderr.split('\n').at(-1) ?? `The ${name} process exited without a message.`);
  });
  try {
    return await Promise.race([message, failed]);
  } finally {
    waiting.abort();
    message.catch(() => undefined);
    failed.catch(() => undefined);
  }
}
