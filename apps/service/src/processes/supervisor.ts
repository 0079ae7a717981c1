import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '@touchstone/common';
import { formatEnd, readNotice, startChild, type Child, type ChildOptions } from './child-process.ts';
import { LogFile } from './log-file.ts';

/** Starts a child process, which the supervisor stops with the service. */
export type Spawn = (options: ChildOptions) => Child;

/** Part of the service that runs in a child process. */
export interface Part<Ready> {
  /** Name of the part in the lines for the operator. */
  readonly name: string;
  /**
   * Starts the process with one call of `spawn`, and resolves when it is ready. It is called again for each restart.
   * The process must then have the same addresses as before, because the other parts know these addresses.
   */
  readonly start: (spawn: Spawn) => Promise<Ready>;
  /** Called after each restart. A failure is handled like a failed restart: the process is stopped. */
  readonly onRestarted?: (ready: Ready) => Promise<void>;
  /** Returns true when the process has ended on purpose and is not restarted. */
  readonly isFinished?: () => boolean;
}

export interface SupervisorOptions {
  readonly logDir: string;
  /** Prints a line for the operator. */
  readonly print: (part: string, text: string) => void;
  /** Waits before a restart, and rejects when `signal` is aborted. The default waits in real time. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const sleepInRealTime = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal });

/** Starts the child processes of the service, restarts those that end, and stops them in the reverse order of their start. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stops: (() => Promise<void>)[] = [];
  /** Process that is being stopped. */
  #stopping: Child | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Opens a log file in the log folder. The operator gets a line when it cannot be written. */
  openLog(name: string): LogFile {
    const { logDir, print } = this.#options;
    return new LogFile(join(logDir, `${name}.log`), { report: (text) => print('logs', text) });
  }

  /**
   * Starts a part, and restarts it with increasing delays each time it ends.
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
        const notice = readNotice(message);
        if (notice !== null) this.#options.print(name, notice);
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

  /** Sends SIGTERM again to the process that is being stopped. The site then ends with unfinished requests. */
  skipWaiting(): void {
    this.#stopping?.process.kill('SIGTERM');
  }
}
