import { setTimeout as sleep } from 'node:timers/promises';
import { computeRestartDelay } from '@touchstone/common';
import type { Logger } from 'pino';

export interface RepeatOptions {
  /** Name of the work in the lines for the operator. */
  readonly part: string;
  /** Prints a line for the operator. */
  readonly print: (part: string, text: string) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Waits before the next attempt; tests replace it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Does work until it succeeds, with increasing delays between the attempts. It fails, for example, while the database or
 * the sandbox is restarted. The work must be repeatable. Each failure is logged, and the first one is printed.
 *
 * @throws the last error, after `signal` was aborted
 */
export async function repeatUntilDone<T>(work: () => Promise<T>, options: RepeatOptions): Promise<T> {
  const { part, print, log, signal, pause = (ms: number) => sleep(ms, undefined, { signal }) } = options;
  let delayMs: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ part, err: error }, 'An attempt failed; it is repeated');
      const reason = error instanceof Error ? error.message : String(error);
      if (delayMs === null) print(part, `was interrupted (${reason}); it continues with increasing delays`);
      delayMs = computeRestartDelay(delayMs, 0);
      await pause(delayMs);
    }
  }
}
