import type { RatePolicy } from '@touchstone/contract';
import type { SharedCount } from './create-limiter.ts';
import type { WindowState } from './process-counter.ts';

type Consume = (client: string, policy: RatePolicy) => Promise<WindowState>;

/** Maximum time for one call of the rate limit counter, in milliseconds. */
const COUNTER_TIMEOUT_MS = 500;

/**
 * Time without further calls after a failed call, in milliseconds, so that an outage does not slow down every request.
 */
const COUNTER_PAUSE_MS = 5_000;

/**
 * Adds a timeout to the shared rate limit counter, and pauses it for five seconds after a failed call. In the pause, the
 * limiters use the counts of this process.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 * @returns Counter whose result is null if its call fails or times out, and during the pause.
 */
export function withCounterTimeout(consume: Consume, now: () => number): SharedCount {
  let pausedUntil = -Infinity;
  return async (client, policy) => {
    const remainingMs = pausedUntil - now();
    // After a jump of the clock into the past, the pause would otherwise last for the length of the jump.
    if (remainingMs > 0 && remainingMs <= COUNTER_PAUSE_MS) return null;
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
