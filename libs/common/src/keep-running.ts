import { MINUTE_MS } from './constants.ts';

/** Delay before the first restart of a service part (`RunningPart`), in milliseconds. */
const MIN_RESTART_DELAY_MS = 1_000;
/** Maximum delay before a restart, in milliseconds. */
const MAX_RESTART_DELAY_MS = MINUTE_MS;
/** Running time after which the next delay is the minimum again, in milliseconds. */
const STABLE_AFTER_MS = 30_000;

/**
 * Returns the delay before a restart of a service part, in milliseconds. The first delay is 1 s. Each further delay is
 * twice the previous delay, and at most 60 s.
 *
 * @param previousMs previous delay; null before the first restart
 * @param ranMs time for which the service part ran, in milliseconds; after 30 s the delay is 1 s again
 */
export function computeRestartDelay(previousMs: number | null, ranMs: number): number {
  if (previousMs === null || ranMs >= STABLE_AFTER_MS) return MIN_RESTART_DELAY_MS;
  return Math.min(2 * previousMs, MAX_RESTART_DELAY_MS);
}

export interface RunningPart {
  /** Resolves when the service part ends for any reason. The value is the reason, such as "exit code 1". */
  readonly ended: Promise<string>;
}

export interface RestartOptions<Part> {
  /** Starts the service part again, and resolves when the part is ready. */
  readonly start: () => Promise<Part>;
  /** Prints a line for the operator. */
  readonly report: (text: string) => void;
  /** Aborted when the service part is stopped on purpose. */
  readonly signal: AbortSignal;
  /** Waits, and rejects when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Returns the time of a clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

/**
 * Restarts a part of a service each time the part ends, until `signal` is aborted. Reports each restart and each failed
 * restart. When the delay reaches its maximum, reports once that the part is down.
 *
 * @returns a promise that never rejects
 */
export async function keepRunning<Part extends RunningPart>(
  first: Part,
  { start, report, signal, sleep, now }: RestartOptions<Part>,
): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  let delayMs: number | null = null;
  let failures = 0;
  const waitAfterFailure = async (reason: string, ranMs: number): Promise<void> => {
    if (ranMs >= STABLE_AFTER_MS) failures = 0;
    failures += 1;
    const wasMaximum = delayMs === MAX_RESTART_DELAY_MS;
    delayMs = computeRestartDelay(delayMs, ranMs);
    if (!wasMaximum && delayMs === MAX_RESTART_DELAY_MS)
      report(`is down: it failed ${failures} times in a row (${reason}); it is restarted every 60 s`);
    await sleep(delayMs, signal).catch(() => undefined);
  };
  /** Restarts the service part, and repeats failed restarts. Returns null when the part was stopped on purpose. */
  const restart = async (reason: string): Promise<Part | null> => {
    while (!isStopped()) {
      try {
        const part = await start();
        if (!isStopped())
          report(`stopped unexpectedly (${reason}); restarted after ${Number(delayMs) / 1_000} s`);
        return part;
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (!isStopped() && delayMs !== MAX_RESTART_DELAY_MS)
          report(`stopped unexpectedly (${reason}), and its restart failed (${problem})`);
        if (!isStopped()) await waitAfterFailure(problem, 0);
      }
    }
    return null;
  };
  for (let part: Part | null = first; part !== null;) {
    const startedAt = now();
    const reason = await part.ended;
    if (!isStopped()) await waitAfterFailure(reason, now() - startedAt);
    part = await restart(reason);
  }
}
