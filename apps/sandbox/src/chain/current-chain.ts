import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '@touchstone/common';
import type { StartedChain } from './start-chain.ts';

/** The chain process that runs now, or null while it is restarted. */
export class CurrentChain {
  readonly #stopping = new AbortController();
  #started: StartedChain | null = null;
  #waiting = Promise.withResolvers<StartedChain>();

  constructor() {
    this.#stopping.signal.addEventListener('abort', () => {
      this.#started?.anvil.stop();
      this.#waiting.reject(new Error('the chain was stopped'));
    });
    // Without this, a stopped chain on which nothing waits would be an unhandled rejection.
    this.#waiting.promise.catch(() => undefined);
  }

  /** Returns the running chain. During a restart, waits for its end. */
  get(): Promise<StartedChain> {
    return this.#started === null ? this.#waiting.promise : Promise.resolve(this.#started);
  }

  isRunning(): boolean {
    return this.#started !== null;
  }

  /** Stops the chain process. It is not restarted. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Restarts the chain process each time it ends.
   * @returns a promise that resolves when the process has ended after `stop`
   */
  keepRunning(
    first: StartedChain,
    { start, report }: { start: () => Promise<StartedChain>; report: (text: string) => void },
  ): Promise<void> {
    return keepRunning(this.#set(first), {
      start: async () => this.#set(await start()),
      report,
      signal: this.#stopping.signal,
      sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      now: () => performance.now(),
    });
  }

  /** Sets the chain process that runs now. Returns its end. */
  #set(started: StartedChain): { readonly ended: Promise<string> } {
    this.#started = started;
    this.#waiting.resolve(started);
    if (this.#stopping.signal.aborted) started.anvil.stop();
    const ended = started.anvil.ended.then((reason) => {
      this.#started = null;
      this.#waiting = Promise.withResolvers();
      this.#waiting.promise.catch(() => undefined);
      if (this.#stopping.signal.aborted) this.#waiting.reject(new Error('the chain was stopped'));
      return reason;
    });
    return { ended };
  }
}
