import { vi } from 'vitest';

/** Maximum number of timers that {@link runWithClock} fires before it fails. */
const MAX_TIMERS = 100_000;

/**
 * Replaces the timers, `sleep` of `node:timers/promises` and `performance.now` by a fake clock, so that a test does not
 * depend on the speed of the machine. The test must call `vi.useRealTimers()` at its end, and must not use sockets.
 * `AbortSignal.timeout` is not replaced; {@link abortAfter} takes its place.
 */
export function useFakeClock(): void {
  vi.useFakeTimers({
    fakeNodeBuiltins: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
}

/**
 * Fires the timers of the fake clock one after the other until the promise settles. Returns the result of the promise.
 */
export async function runWithClock<Result>(running: Promise<Result>): Promise<Result> {
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  running.then(settle, settle);
  for (let fired = 0; !state.isSettled && fired < MAX_TIMERS; fired += 1)
    await vi.advanceTimersToNextTimerAsync();
  if (!state.isSettled) throw new Error(`the promise is pending after ${MAX_TIMERS} timers`);
  return running;
}

/** Creates a signal that is aborted after the given number of milliseconds of the fake clock. */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
