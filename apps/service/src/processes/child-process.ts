import { spawn, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { z } from 'zod';
import type { LogFile } from './log-file.ts';

export interface ChildOptions {
  /** Name of the process in messages and of its log file. */
  readonly name: string;
  /** Arguments of the Node executable: the script and the arguments of the script. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Time between SIGTERM and SIGKILL when the process is stopped, in milliseconds; 5 seconds when omitted. */
  readonly stopTimeoutMs?: number;
}

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the process exits. The value is the end of the error output. */
  readonly ended: Promise<string>;
  /** Sends SIGTERM, and SIGKILL if the process still runs after its stop timeout. Resolves when the process has exited. */
  stop(): Promise<void>;
}

const DEFAULT_STOP_TIMEOUT_MS = 5_000;
/** Length of the error output that is kept for messages, in characters. */
const MAX_STDERR_CHARACTERS = 2_000;
/** Length of the reason in a message about a process that ended, in characters. */
const MAX_REASON_CHARACTERS = 300;

/**
 * Starts a Node process whose output goes to a log file. The child has an IPC channel, which closes when this process
 * exits. The child is in a separate process group, so that Ctrl-C in a terminal signals only this process.
 */
export function startChild(options: ChildOptions, log: LogFile): Child {
  const { args, env, cwd, stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS } = options;
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log.write(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR_CHARACTERS);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', () => {
      log.close();
      resolve(stderr.trim());
    });
  });
  return { process: child, ended, stop: () => stop(child, ended, stopTimeoutMs) };
}

async function stop(child: ChildProcess, ended: Promise<string>, timeoutMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(timer);
}

/** Formats how a process ended: `killed by SIGKILL`, or `exit code 1: out of memory`. */
export function formatEnd({ process: child }: Child, stderr: string): string {
  if (child.signalCode !== null) return `killed by ${child.signalCode}`;
  const code = child.exitCode === null ? 'no exit code' : `exit code ${child.exitCode}`;
  // Node ends a stack trace with its version, so the last line is not always the error.
  const reason = stderr.split('\n').findLast((line) => /error|^[\w ]+: /i.test(line));
  return reason === undefined ? code : `${code}: ${reason.trim().slice(0, MAX_REASON_CHARACTERS)}`;
}

/** IPC message for the operator, for example that the disk is full or that a chain was restarted. */
const noticeSchema = z.object({ type: z.literal('notice'), message: z.string() });

/** Returns the text of a notice for the operator, or null for another IPC message. */
export function readNotice(message: unknown): string | null {
  return noticeSchema.safeParse(message).data?.message ?? null;
}

async function readFirstMessage(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  for await (const [message] of on(child, 'message', { signal })) {
    if (readNotice(message) === null) return message;
  }
  throw new Error('The process sent no message.');
}

/**
 * Waits for the first IPC message of a child that is no notice, and parses it.
 *
 * @throws Error with the last line of the error output when the child exits first
 */
export async function waitUntilReady<T>(
  child: Child,
  name: string,
  parse: (message: unknown) => T,
): Promise<T> {
  const waiting = new AbortController();
  const message = readFirstMessage(child.process, waiting.signal).then(parse);
  const failed = child.ended.then((stderr) => {
    throw new Error(stderr.split('\n').at(-1) || `The ${name} process exited without a message.`);
  });
  try {
    return await Promise.race([message, failed]);
  } finally {
    waiting.abort();
    message.catch(() => undefined);
    failed.catch(() => undefined);
  }
}
