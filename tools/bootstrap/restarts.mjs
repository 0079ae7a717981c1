import { setTimeout as sleep } from 'node:timers/promises';

/** Delay before the first restart, in milliseconds. The rules are the same as in libs/common/src/keep-running.ts. */
const MIN_DELAY_MS = 1_000;
/** Maximum delay before a restart, in milliseconds. */
const MAX_DELAY_MS = 60_000;
/** Time for which the program must run until the delay is the minimum again, in milliseconds. */
const STABLE_AFTER_MS = 300_000;

/**
 * Returns the delay before a restart, in milliseconds.
 *
 * @param {number | null} previousMs Previous delay; null before the first restart.
 * @param {number} ranMs Time for which the program ran.
 */
function computeRestartDelay(previousMs, ranMs) {
  if (previousMs === null || ranMs >= STABLE_AFTER_MS) return MIN_DELAY_MS;
  return Math.min(2 * previousMs, MAX_DELAY_MS);
}

/**
 * Runs a program, and runs it again after a crash. A program that ends before it has started once is not restarted,
 * because its configuration or its installation is wrong and its own message says so.
 *
 * @param {() => Promise<{ exitCode: number, reason: string, hasStarted: boolean }>} runOnce Runs the program until it
 * ends.
 * @param {{ signal: AbortSignal, print: (line: string) => void }} options `signal` is aborted by a termination signal.
 * @returns {Promise<number>} Exit code of the last run.
 */
export async function runWithRestarts(runOnce, { signal, print }) {
  let delayMs = null;
  let hasStarted = false;
  for (;;) {
    const startedAt = performance.now();
    const end = await runOnce();
    hasStarted ||= end.hasStarted;
    if (end.exitCode === 0 || signal.aborted || !hasStarted) return end.exitCode;
    delayMs = computeRestartDelay(delayMs, performance.now() - startedAt);
    print(`  service     stopped unexpectedly (${end.reason}); it is restarted in ${delayMs / 1_000} s`);
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return end.exitCode;
  }
}
