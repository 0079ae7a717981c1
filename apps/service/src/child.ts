import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

export interface ChildOptions {
  /** What it is called in messages and in the name of its log file. */
  readonly name: string;
  /** Arguments of Node: the script and its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logDir: string;
  readonly cwd?: string;
}

export interface Child {
  readonly process: ChildProcess;
  /** Settles when the process ends, with the last thing it said on stderr. */
  readonly ended: Promise<string>;
  /** Asks it to stop, and makes it after five seconds. */
  stop(): Promise<void>;
}

const STOP_MS = 5_000;
const TAIL_CHARACTERS = 2_000;

/**
 * Starts a part of the service as a process of its own. Its output goes to a log file; it gets an IPC channel, whose
 * end tells it that its parent is gone, and its own process group, so that Ctrl-C reaches the parent alone.
 */
export function startChild({ name, args, env, logDir, cwd }: ChildOptions): Child {
  const log = createWriteStream(`${logDir}/${name}.log`, { flags: 'a' });
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let tail = '';
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-TAIL_CHARACTERS);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', () => {
      log.end();
      resolve(tail.trim());
    });
  });
  return { process: child, ended, stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/**
 * The first IPC message of a child, parsed.
 * @throws when the child ends before it is ready, with what it said last.
 */
export async function ready<T>(child: Child, name: string, parse: (message: unknown) => T): Promise<T> {
  const waiting = new AbortController();
  const message = once(child.process, 'message', { signal: waiting.signal }).then(([first]) => parse(first));
  const failed = child.ended.then((said) => {
    throw new Error(said.split('\n').at(-1) ?? `the ${name} ended without a word`);
  });
  try {
    return await Promise.race([message, failed]);
  } finally {
    waiting.abort();
    message.catch(() => undefined);
    failed.catch(() => undefined);
  }
}
