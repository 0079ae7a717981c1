import type { RatePolicy } from '@touchstone/contract';
import type { WindowState } from './create-limiter.ts';

type Consume = (client: string, policy: RatePolicy) => Promise<WindowState>;

/** Maximum time for one call of the counter, in milliseconds. */
const COUNTER_TIMEOUT_MS = 500;

/** Pause after a failed call, in milliseconds, so that an outage does not slow down every request. */
const COUNTER_PAUSE_MS = 5_000;

/**
 * Adds a timeout and a pause after failures to a counter.
 *
 * @param now Returns milliseconds since the epoch.
 * @returns A counter whose result is null if the call failed or timed out, and for five seconds after that.
 */
export function withCounterTimeout(
  consume: Consume,
  now: () => number,
): (client: string, policy: RatePolicy) => Promise<WindowState | null> {
  let pausedUntil = -Infinity;
  return async (client, policy) => {
    if (now() < pausedUntil) return null;
    const state = await waitWithTimeout(consume(client, policy));
    if (state === null) pausedUntil = now() + COUNTER_PAUSE_MS;
    return state;
  };
}

async function waitWithTimeout(call: Promise<WindowState>): Promise<WindowState | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, COUNTER_TIMEOUT_MS, null).unref();
  });
  const state = await Promise.race([call.catch(() => null), timeout]);
  clearTimeout(timer);
  return state;
}
