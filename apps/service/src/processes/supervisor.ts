import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '@touchstone/common';
import { z } from 'zod';
import { LogFile } from './log-file.ts';

/** Prints a line for the operator. */
export type Print = (part: string, text: string) => void;

interface ChildOptions {
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
/** Maximum length of the error output that is kept for messages, in characters. */
const MAX_STDERR_CHARACTERS = 2_000;
/** Maximum length of the reason in a message about a process that ended, in characters. */
const MAX_REASON_CHARACTERS = 300;

/** Starts a child process, which the supervisor stops with the service. */
export type Spawn = (options: ChildOptions) => Child;

/** Part of the service that runs in a child process. */
export interface Part<Ready> {
  /** Name of the part, for the lines that the operator sees. */
  readonly name: string;
  /**
   * Starts the process with one call of `spawn`, and resolves when the process is ready. Each restart calls this
   * function again. The new process must have the same addresses as the first process, because other processes use
   * these addresses.
   */
  readonly start: (spawn: Spawn) => Promise<Ready>;
  /** Called after each restart. If the call fails, the process is stopped, as after a failed restart. */
  readonly onRestarted?: (ready: Ready) => Promise<void>;
  /** Returns true when the process has ended on purpose and is not restarted. */
  readonly isFinished?: () => boolean;
}

export interface SupervisorOptions {
  readonly logDir: string;
  readonly print: Print;
  /** Waits before a restart, and rejects when `signal` is aborted. The default waits in real time. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const sleepInRealTime = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal });

/**
 * Starts the child processes of the service, restarts processes that end, and stops all processes in the reverse order
 * of their start.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stops: (() => Promise<void>)[] = [];
  /** Process that is being stopped. */
  #stopping: Child | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Opens a log file in the log folder. The operator gets a line when the file cannot be written. */
  openLog(name: string): LogFile {
    const { logDir, print } = this.#options;
    return new LogFile(join(logDir, `${name}.log`), { report: (text) => print('logs', text) });
  }

  /**
   * Starts a part. Each time the part ends, starts it again; the delay before the restart increases.
   *
   * @throws the error of the first start; then the process is stopped and not restarted
   */
  async start<Ready>({ name, start, onRestarted, isFinished }: Part<Ready>): Promise<Ready> {
    const stopping = new AbortController();
    const { signal } = stopping;
    let child: Child | null = null;
    const spawn: Spawn = (options) => {
      signal.throwIfAborted();
      const started = startChild(options, this.openLog(options.name));
      started.process.on('message', (message) => {
        const notice = noticeSchema.safeParse(message);
        if (notice.success) this.#options.print(name, notice.data.message);
      });
      return (child = started);
    };
    const stopChild = async (): Promise<void> => {
      this.#stopping = child;
      await child?.stop();
    };
    const begin = async (afterStart?: (ready: Ready) => Promise<void>) => {
      try {
        const ready = await start(spawn);
        await afterStart?.(ready);
        return { ready, ended: this.#awaitEnd(child, () => isFinished?.() === true && stopping.abort()) };
      } catch (error) {
        await stopChild();
        throw error;
      }
    };
    let running: Promise<void> = Promise.resolve();
    this.#stops.push(async () => {
      stopping.abort();
      await stopChild();
      await running;
    });
    const first = await begin();
    running = keepRunning(first, {
      start: () => begin(onRestarted),
      report: (text) => this.#options.print(name, text),
      signal,
      sleep: this.#options.sleep ?? sleepInRealTime,
      now: () => performance.now(),
    });
    return first.ready;
  }

  async #awaitEnd(child: Child | null, onEnd: () => void): Promise<string> {
    if (child === null) throw new Error('A part was started without a process.');
    const stderr = await child.ended;
    onEnd();
    return formatEnd(child, stderr);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  /**
   * Sends a second SIGTERM to the process that is being stopped. After a second SIGTERM, the site ends without
   * finishing its requests.
   */
  skipWaiting(): void {
    this.#stopping?.process.kill('SIGTERM');
  }
}

/**
 * Starts a Node process whose output goes to a log file. The child has an IPC channel, which closes when this process
 * exits. The child is in a separate process group, so that Ctrl-C in a terminal signals only this process.
 */
function startChild(options: ChildOptions, log: LogFile): Child {
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
function formatEnd({ process: child }: Child, stderr: string): string {
  if (child.signalCode !== null) return `killed by ${child.signalCode}`;
  const code = child.exitCode === null ? 'no exit code' : `exit code ${child.exitCode}`;
  // Node prints its version after a stack trace, so the last line is not always the error.
  const reason = stderr.split('\n').findLast((line) => /error|^[\w ]+: /i.test(line));
  return reason === undefined ? code : `${code}: ${reason.trim().slice(0, MAX_REASON_CHARACTERS)}`;
}

/** IPC message for the operator, for example that the disk is full or that a chain was restarted. */
const noticeSchema = z.object({ type: z.literal('notice'), message: z.string() });

/**
 * Waits for an IPC message that matches a schema, and ignores notices.
 *
 * @throws Error when the child sends another message or exits first. After an exit, the error contains the last line of
 * the error output.
 */
export function waitForMessage<T>(child: Child, schema: z.ZodType<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    child.process.on('message', (message) => {
      const parsed = schema.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else if (!noticeSchema.safeParse(message).success) reject(parsed.error);
    });
    void child.ended.then((stderr) => {
      reject(new Error(stderr.split('\n').at(-1) || 'The process exited without a message.'));
    });
  });
}
