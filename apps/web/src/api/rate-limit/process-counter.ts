import type { RatePolicy } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';

/** State of the rate limit window of a client after one more request was counted. */
export interface WindowState {
  readonly allowed: boolean;
  /** Number of requests that the client can still send in this window. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Counter of the requests of each client in this process, with one fixed window per client and policy. */
export interface ProcessCounter {
  /** Returns the current window of a client if the window allows no more requests, otherwise null. */
  readonly findExhausted: (client: string, policy: RatePolicy) => WindowState | null;
  readonly count: (client: string, policy: RatePolicy) => WindowState;
  /**
   * Replaces the window of a client with the window of the shared counter. The shared counter also counts the requests
   * to other processes.
   */
  readonly replace: (client: string, policy: RatePolicy, state: WindowState) => void;
}

interface Window {
  used: number;
  readonly resetsAt: number;
}

/**
 * Maximum number of windows in memory. Above this number, the least recently used window is deleted. An attacker can
 * reset a window only with 50,000 client addresses.
 */
const MAX_WINDOWS = 50_000;

/**
 * Creates a counter in memory.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function createProcessCounter(now: () => number, maxWindows = MAX_WINDOWS): ProcessCounter {
  const windows = new LRUCache<string, Window>({ max: maxWindows });
  const find = (client: string, { name, windowSeconds }: RatePolicy): Window | null => {
    const found = windows.get(`${name} ${client}`);
    if (found === undefined) return null;
    // Without the upper limit, a clock that is set back would make the window longer.
    const remainingMs = found.resetsAt - now();
    return remainingMs > 0 && remainingMs <= 2_000 * windowSeconds ? found : null;
  };
  const toState = ({ used, resetsAt }: Window, { limit }: RatePolicy): WindowState => ({
    allowed: used <= limit,
    remaining: Math.max(0, limit - used),
    resetsAt,
  });
  return {
    findExhausted: (client, policy) => {
      const found = find(client, policy);
      return found !== null && found.used >= policy.limit ? toState(found, policy) : null;
    },
    count: (client, policy) => {
      let window = find(client, policy);
      if (window === null) {
        window = { used: 0, resetsAt: now() + 1_000 * policy.windowSeconds };
        windows.set(`${policy.name} ${client}`, window);
      }
      window.used += 1;
      return toState(window, policy);
    },
    replace: (client, policy, { allowed, remaining, resetsAt }) => {
      const used = policy.limit - remaining + (allowed ? 0 : 1);
      if (used > (find(client, policy)?.used ?? 0))
        windows.set(`${policy.name} ${client}`, { used, resetsAt });
    },
  };
}

/** Counts one request of a client in the database. Resolves to null if the database is unavailable. */
export type SharedCount = (client: string, policy: RatePolicy) => Promise<WindowState | null>;

type Consume = (client: string, policy: RatePolicy) => Promise<WindowState>;

/** Maximum time for one call of the rate limit counter, in milliseconds. */
const COUNTER_TIMEOUT_MS = 500;

/**
 * Pause of the shared counter after a failed call, in milliseconds. During an outage, the pause keeps most requests
 * fast.
 */
const COUNTER_PAUSE_MS = 5_000;

/**
 * Adds a timeout to the shared rate limit counter, and pauses the counter for five seconds after a failed call. During
 * the pause, the limiters use the counts of this process.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 * @returns Counter with a timeout. Its result is null during the pause, or if the call fails or times out.
 */
export function withCounterTimeout(consume: Consume, now: () => number): SharedCount {
  let pausedUntil = -Infinity;
  return async (client, policy) => {
    const remainingMs = pausedUntil - now();
    // Without the upper limit, a clock that is set back would make the pause longer.
    if (remainingMs > 0 && remainingMs <= COUNTER_PAUSE_MS) return null;
    const timeout = sleep(COUNTER_TIMEOUT_MS, null, { ref: false });
    const state = await Promise.race([consume(client, policy).catch(() => null), timeout]);
    if (state === null) pausedUntil = now() + COUNTER_PAUSE_MS;
    return state;
  };
}
